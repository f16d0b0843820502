import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: any service's message.
  readonly body: any;
}

/** A service on loopback that speaks as the documentation of the real one says. */
export class ChatService {
  readonly received: Received[] = [];
  answer: (got: Received) => { status?: number; text: string } = () => ({ text: 'ok' });
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    const got = { path: request.url ?? '', headers: request.headers, text: body, body: JSON.parse(body) };
    this.received.push(got);
    const answer = this.answer(got);
    response.writeHead(answer.status ?? 200).end(answer.text);
  });

  static async start(answer?: ChatService['answer']): Promise<ChatService> {
    const service = new ChatService();
    if (answer) service.answer = answer;
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      service.#server.closeAllConnections();
      service.#server.close();
    });
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/** A real mail server that asks for a password. */
export async function startMailServer({ password }: { readonly password: string }) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    onAuth: ({ username = '', password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('Invalid username or password')),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((body) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: body });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mails, port: String((server.server.address() as AddressInfo).port) };
}
