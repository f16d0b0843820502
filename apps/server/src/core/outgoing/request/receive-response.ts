import type { ClientRequest, IncomingMessage } from 'node:http';
import { connectionError, OutgoingError } from '../outgoing-error.ts';

/** Answers before the answer (1xx). More than a few are no server's honest work. */
const mostInterim = 16;

interface Parties {
  readonly take: (answer: IncomingMessage) => void;
  /** Once, and never after `take`. */
  readonly fail: (error: OutgoingError) => void;
}

/**
 * Waits for the answer of an untrusted server. Node's client also delivers invalid statuses, unrequested upgrades and endless interim
 * answers. All of these, and a silent end, become one failure. Errors of `take` stay inside.
 */
export function receiveResponse(outgoing: ClientRequest, { take, fail }: Parties): void {
  let interim = 0;
  let isOver = false;
  const giveUp = (error: unknown) => {
    outgoing.destroy();
    if (isOver) return;
    isOver = true;
    fail(connectionError(error));
  };
  outgoing.on('error', giveUp);
  outgoing.on('close', () => giveUp(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  outgoing.on('information', () => {
    interim += 1;
    if (interim > mostInterim) giveUp(notHttp());
  });
  outgoing.on('upgrade', (_answer, socket) => {
    socket.destroy();
    giveUp(notHttp());
  });
  outgoing.on('response', (answer) => {
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 599) return giveUp(notHttp());
    try {
      take(answer);
      isOver = true;
    } catch (error) {
      giveUp(error);
    }
  });
}

function notHttp(): OutgoingError {
  return new OutgoingError('no-connection', 'the response is not HTTP', { fact: 'no-http' });
}

/** The whole body; `OutgoingError` when it is larger than it may be. */
export async function readAnswer(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  if (Number(answer.headers['content-length']) > mostBytes) {
    answer.destroy();
    throw answerTooLarge(mostBytes);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw answerTooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function answerTooLarge(mostBytes: number): OutgoingError {
  const fact = String(mostBytes);
  return new OutgoingError('too-large', `the response is larger than ${fact} bytes`, { fact });
}
