import type { Server } from 'node:net';
import type { Log } from '../log/log.ts';
import { elapsedMs } from './elapsed.ts';

const quietMs = 60_000;

/**
 * For a server that listens: a connection that could not be taken, for want of descriptors or memory, is the loss of whoever
 * wanted it. Without this it would end the process, and with it everybody else's.
 */
export function keepAccepting(server: Server, log?: Log): void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (elapsedMs() - saidAtMs < quietMs) return;
    saidAtMs = elapsedMs();
    log?.warn({ reason: error.code ?? error.message }, 'connections could not be accepted');
  });
}
