import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';

/** A plain HTTP server on a free port of loopback until the test is over; tells the port. */
export async function serveHttp(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
