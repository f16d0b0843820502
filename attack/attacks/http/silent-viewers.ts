// Runs as a thread: the cost of its handshakes must not show in what the honest viewer sees.
import { connect as connectPlain } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';

/** Viewers that ask for something and never read the answer. */
export interface SilentViewers {
  readonly port: number;
  readonly isSecure: boolean;
  readonly path: string;
  readonly count: number;
  readonly addresses: readonly string[];
}

const { port, isSecure, path, count, addresses } = workerData as SilentViewers;
let left = count;
let refused = 0;
const settle = () => {
  left -= 1;
  if (left === 0) parentPort?.postMessage(refused);
};

for (let n = 0; n < count; n++) {
  const localAddress = addresses[n % addresses.length] ?? '127.0.0.1';
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    // Node reads no more than its first buffer without a listener for data.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    settle();
  };
  const where = { host: '127.0.0.1', port, localAddress };
  const socket = isSecure ? connectSecure({ ...where, rejectUnauthorized: false }, begin) : connectPlain(where, begin);
  socket
    .on('error', () => undefined)
    .once('close', () => {
      if (hasBegun) return;
      refused += 1;
      settle();
    });
}
