import type { Server } from 'node:net';
import type { Log } from '../log/log.ts';
import { elapsedMs } from './elapsed.ts';

const quietMs = 60_000;

/**
 * Keeps a server alive when a connection cannot be accepted for lack of descriptors or memory. Without this the error would end the
 * process with all its connections.
 */
export function keepAccepting(server: Server, log?: Log): void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (elapsedMs() - saidAtMs < quietMs) return;
    saidAtMs = elapsedMs();
    log?.warn({ reason: error.code ?? error.message }, 'connections could not be accepted');
  });
}
