import { connect, isIP, type Socket } from 'node:net';
import { notificationLimits } from '@weir/contract';
import { connectionError, OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import { checkTarget, parseTarget } from '../../core/outgoing/outgoing-target.ts';
import type { Answer } from './notice-sender.ts';
import type { Message } from './notice-text.ts';

type Fields = Readonly<Record<string, string>>;

/** Sends one e-mail. Throws `OutgoingError` without an answer of the mail server. */
export async function sendEmail(fields: Fields, message: Message): Promise<Answer> {
  const {
    host = '',
    port = '',
    security = 'starttls',
    user = '',
    password = '',
    sender = '',
    recipients = '',
  } = fields;
  const socket = await openSocket(host, Number(port));
  const { createTransport } = await import('nodemailer');
  const within = notificationLimits.answerWithinMs;
  const transport = createTransport({
    host,
    port: Number(port),
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    // The socket leads to the address that was checked.
    getSocket: (_options, done) => done(null, { connection: socket }),
    connectionTimeout: within,
    greetingTimeout: within,
    socketTimeout: within,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const late = setTimeout(() => socket.destroy(new OutgoingError('timeout', timeoutText, timeoutFact)), within);
  try {
    const { title, lines, link } = message;
    const text = [...lines, ...(link === '' ? [] : ['', link])].join('\n');
    const { response } = await transport.sendMail({ from: sender, to: recipients, subject: title, text });
    return { isAccepted: true, status: Number.parseInt(response, 10) || 250, answer: response };
  } catch (error) {
    return refusalOf(error);
  } finally {
    clearTimeout(late);
    transport.close();
    socket.destroy();
  }
}

const timeoutText = `no response within ${notificationLimits.answerWithinMs / 1000} seconds`;
const timeoutFact = { fact: String(notificationLimits.answerWithinMs / 1000) };

async function openSocket(host: string, port: number): Promise<Socket> {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  const { addresses } = await checkTarget(parseTarget(`http://${bracketed}:${port}/`), 'named');
  const [first] = addresses;
  const socket = connect({ host: first?.address ?? '', port, timeout: notificationLimits.answerWithinMs });
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error instanceof Error ? connectionError(error) : new OutgoingError('timeout', timeoutText, timeoutFact));
    };
    socket.once('error', fail);
    socket.once('timeout', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.off('timeout', fail);
      socket.setTimeout(0);
      // Whoever sends hears of errors too; without a listener one would end the process.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** What the mail server said, or why it said nothing. */
function refusalOf(error: unknown): Answer {
  const { responseCode, response } = error as { responseCode?: number; response?: string };
  if (typeof responseCode === 'number') return { isAccepted: false, status: responseCode, answer: response ?? '' };
  const { code, originalCode, library } = error as { code?: string; originalCode?: string; library?: string };
  const isPlain = code === 'ETLS' || library === 'SSL routines';
  if (isPlain) throw new OutgoingError('no-connection', 'the mail server does not offer TLS', { fact: 'no-tls' });
  if (code === 'ETIMEDOUT') throw new OutgoingError('timeout', timeoutText, timeoutFact);
  throw connectionError(Object.assign(new Error('mail server', { cause: error }), { code: originalCode ?? code }));
}
