import { chmod, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { keepAccepting } from './keep-accepting.ts';
import { StartError } from './run-plane.ts';

/** Listens on a unix socket that only this user can reach, unless a living process already does. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (await isAnswered(path)) throw new StartError('Another Weir is already running on this data directory.');
  await rm(path, { force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).once('listening', resolve).listen(path);
  try {
    await promise;
    keepAccepting(server);
    await chmod(path, 0o600);
  } catch (error) {
    throw new StartError(`The private socket ${path} could not be opened: check WEIR_DATA.`, { cause: error });
  } finally {
    server.off('error', reject).off('listening', resolve);
  }
}

/** A killed process leaves its socket file; one that accepts connections is in use. */
async function isAnswered(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
