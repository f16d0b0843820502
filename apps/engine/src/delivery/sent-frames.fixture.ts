import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import type { WireFormat } from '../hub/fan-out/wire-format.ts';

/** Each frame is a line of its kind, time and length, and a content that says where a byte belongs. */
export const format: WireFormat = {
  start: () => Buffer.from('start\n'),
  config: ({ kind }) => Buffer.from(`config-${kind}\n`),
  frame: ({ isKeyframe, dtsMs, payload }) =>
    Buffer.concat([
      Buffer.from(`${isKeyframe ? 'K' : 'p'} ${dtsMs} ${payload.length}\n`),
      contentOf(dtsMs, payload.length),
    ]),
};

export function contentOf(dtsMs: number, bytes: number): Buffer {
  return Buffer.alloc(bytes, `<${dtsMs}>`);
}

/** Times of the frames in what a viewer got. Throws at the first byte that is not as it was sent. */
export function readFrames(received: Buffer): { times: number[]; entries: number[] } {
  const times: number[] = [];
  const entries: number[] = [];
  for (let at = 0; at < received.length; ) {
    const end = received.indexOf('\n', at);
    const line = received.toString('latin1', at, end);
    const [, kind, time, bytes] = /^(?:([Kp]) (\d+) (\d+)|start|config-video)$/.exec(line) ?? [];
    at = end + 1;
    if (kind === undefined) {
      if (!/^(?:start|config)/.test(line)) throw new Error(`no frame begins with ${line.slice(0, 50)}`);
      continue;
    }
    const content = received.subarray(at, at + Number(bytes));
    if (!content.equals(contentOf(Number(time), Number(bytes))))
      throw new Error(`the frame of ${time} ms has other bytes`);
    times.push(Number(time));
    if (kind === 'K') entries.push(Number(time));
    at += Number(bytes);
  }
  return { times, entries };
}

/** Both ends of a connection, and all that one of them received. */
export interface Pair {
  readonly server: Socket;
  readonly peer: Socket;
  readonly received: () => Buffer;
  readonly bytes: () => number;
  readonly close: () => void;
}

export async function openPair(listener: Server): Promise<Pair> {
  const { port } = listener.address() as { port: number };
  const peer = connect(port, '127.0.0.1');
  const [server] = (await once(listener, 'connection')) as [Socket];
  const chunks: Buffer[] = [];
  let bytes = 0;
  peer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
  });
  for (const socket of [server, peer]) socket.on('error', () => undefined);
  const close = () => {
    server.destroy();
    peer.destroy();
  };
  return { server, peer, received: () => Buffer.concat(chunks), bytes: () => bytes, close };
}
