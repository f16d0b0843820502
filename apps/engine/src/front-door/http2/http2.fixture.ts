import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { onTestFinished, vi } from 'vitest';
import { installPair, type Pair } from '../../tls-pair.fixture.ts';
import { openFrontDoor } from '../front-door.fixture.ts';

type Options = Parameters<typeof openFrontDoor>;

/** A front door with a certificate. Returns its HTTPS port. */
export async function openSecure(pair: Pair, ...[overrides, control]: Options) {
  const opened = await openFrontDoor({ certificatePollMs: 20, ...overrides }, control);
  await installPair(opened.dataDir, pair);
  const isReady = () => opened.door.listeners().find(({ protocol }) => protocol === 'https')?.ready;
  await vi.waitFor(() => {
    if (!isReady()) throw new Error('no certificate yet');
  });
  return { ...opened, port: opened.door.httpsPort };
}

export async function openSession(port: number): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  onTestFinished(() => session.destroy());
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

interface Answer {
  readonly headers: Record<string, string | string[] | number | undefined>;
  readonly body: Buffer;
}

/** Sends a request and reads the whole answer. Rejects when the stream ends with an error. */
export async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: Buffer | string,
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return read(stream);
}

export async function read(stream: ClientHttp2Stream): Promise<Answer> {
  const [headers] = (await once(stream, 'response')) as [Answer['headers']];
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { headers, body: Buffer.concat(chunks) };
}
