import { chmod, rm } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { StartError } from './run-plane.ts';

/** Listens on a unix socket that only this user may open. A file left by a crash is replaced, a live one is not. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (await answers(path)) throw new StartError('another Weir already runs on this data directory');
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  await chmod(path, 0o600);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
