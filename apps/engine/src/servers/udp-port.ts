import { createSocket, type Socket } from 'node:dgram';
import type { Listen } from '@weir/plane';

/** A UDP port held with a plain socket, until a library that is loaded on first use takes it over. */
export async function holdUdpPort({ host, port }: Listen): Promise<Socket> {
  try {
    return await bind(host?.includes('.') ? 'udp4' : 'udp6', host ?? '::', port);
  } catch (error) {
    // A machine without IPv6.
    if (host !== undefined || (error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    return await bind('udp4', '0.0.0.0', port);
  }
}

export function releaseUdpPort(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.close(() => resolve());
  return promise;
}

async function bind(type: 'udp4' | 'udp6', address: string, port: number): Promise<Socket> {
  const socket = createSocket(type);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('error', reject).once('listening', resolve).bind({ address, port, exclusive: true });
  try {
    await promise;
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.off('error', reject).on('error', () => undefined);
  return socket;
}
