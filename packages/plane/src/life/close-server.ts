import type { Server } from 'node:http';

/** Closes a server and its connections at once. Resolves when its port is free. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  await promise;
}
