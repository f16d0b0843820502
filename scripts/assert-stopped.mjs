import { connect } from 'node:net';

/** Throws if a server runs on this data directory: it would continue with what it remembers, and write it. */
export async function assertStopped(dataDir) {
  const { prepareDataDirectory } = await import('../apps/weir/src/data-directory.ts');
  const { server } = prepareDataDirectory({ dataDir, filesDir: dataDir });
  const isAnswered = await new Promise((resolve) => {
    const socket = connect(server, () => resolve(true)).on('error', () => resolve(false));
    socket.unref();
  });
  if (isAnswered) throw new Error('The server is running on this data directory. Stop it first.');
}
