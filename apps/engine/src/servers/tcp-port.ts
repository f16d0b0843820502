import type { Server } from 'node:net';
import { keepAccepting, type Listen, type Log, StartError } from '@weir/plane';

/** The port a server listens on; 0 while it does not. */
export function listeningPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Opens a public port, with an error a person can act on: `variable` is where the port is set. */
export async function openTcpPort(server: Server, listen: Listen, variable: string, log: Log): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).once('listening', resolve);
  // Without a host Node takes `::` with IPv4 included, or `0.0.0.0` on a machine without IPv6.
  const where = listen.host === undefined ? {} : { host: listen.host };
  server.listen({ port: listen.port, backlog: 4096, ...where });
  try {
    await promise;
    keepAccepting(server, log);
  } catch (error) {
    throw startError(error as NodeJS.ErrnoException, listen, variable);
  } finally {
    server.off('error', reject).off('listening', resolve);
  }
}

function startError(error: NodeJS.ErrnoException, { host, port }: Listen, variable: string): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use by another program: stop that program, or set ${variable} to another port.`,
    EACCES: `Port ${port} cannot be opened by this user: set ${variable} to a port above 1023, or grant the permission.`,
    EADDRNOTAVAIL: `This machine has no address ${host} (port ${port}): check ${variable}.`,
  };
  const sentence =
    sentences[error.code ?? ''] ?? `Port ${port} could not be opened (${error.message}): check ${variable}.`;
  return new StartError(sentence, { cause: error });
}
