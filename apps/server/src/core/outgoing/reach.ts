import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connectionError, OutgoingError } from './outgoing-error.ts';
import { checkTarget, type OwnNetwork } from './outgoing-target.ts';

interface Exchange {
  readonly host: string;
  readonly port: number;
  readonly ownNetwork: OwnNetwork;
  readonly send: Uint8Array;
  readonly signal: AbortSignal;
}

/** UDP requests may be lost, and a process may have to start before it answers. */
const repeatMs = 400;

/** Opens a TCP connection, sends a few bytes and returns the first ones of the answer. */
export async function askByTcp({ send, signal, port, ...target }: Exchange): Promise<Buffer> {
  const address = await firstAddress({ ...target, port });
  const socket = connect({ host: address, port, signal });
  // A second error after the one that is reported.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    socket.write(send);
    const [answer] = await once(socket, 'data', { signal });
    return answer as Buffer;
  } catch (error) {
    throw signal.aborted ? noAnswer(error) : connectionError(error);
  } finally {
    socket.destroy();
  }
}

/** Sends a datagram until something answers. */
export async function askByUdp({ send, signal, port, ...target }: Exchange): Promise<Buffer> {
  const address = await firstAddress({ ...target, port });
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('error', () => undefined);
  const ask = () => socket.send(send, port, address, () => undefined);
  const timer = setInterval(ask, repeatMs);
  try {
    ask();
    const [answer] = await once(socket, 'message', { signal });
    return answer as Buffer;
  } catch (error) {
    throw signal.aborted ? noAnswer(error) : connectionError(error);
  } finally {
    clearInterval(timer);
    socket.close();
  }
}

function noAnswer(cause: unknown): OutgoingError {
  return new OutgoingError('timeout', 'no response', { cause });
}

async function firstAddress({ host, port, ownNetwork }: Pick<Exchange, 'host' | 'port' | 'ownNetwork'>) {
  const text = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(text)) throw new OutgoingError('bad-url', 'not a valid host');
  const { addresses } = await checkTarget(new URL(text), ownNetwork);
  const first = addresses.find(({ family }) => family === 4) ?? addresses[0];
  if (!first) throw new OutgoingError('unknown-name', 'the host name could not be resolved');
  return first.address;
}
