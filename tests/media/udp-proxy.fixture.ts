import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A road with holes between WebRTC clients and a server: datagrams pass both ways, and some are lost. */
export class UdpProxy {
  /** Share lost each way, 0 to 1. */
  toServerLoss = 0;
  toClientLoss = 0;
  dropped = 0;
  /** Which datagrams are lost besides. */
  isHole: (bytes: Buffer, to: 'server' | 'client') => boolean = () => false;
  readonly #front: Socket;
  readonly #backs = new Map<string, Socket>();
  // Always the same sequence: a test that fails fails again.
  #seed = 12_345;

  private constructor(front: Socket, target: { host: string; port: number }) {
    this.#front = front;
    front.on('message', (bytes, { address, port }) => {
      const back = this.#backOf(address, port);
      if (!this.isHole(bytes, 'server') && !this.#isLost(this.toServerLoss)) back.send(bytes, target.port, target.host);
    });
  }

  static async open(port: number, target: { host: string; port: number }): Promise<UdpProxy> {
    const front = createSocket('udp4');
    front.bind(port, '127.0.0.1');
    await once(front, 'listening');
    return new UdpProxy(front, target);
  }

  get port(): number {
    return this.#front.address().port;
  }

  close(): void {
    this.#front.close();
    for (const back of this.#backs.values()) back.close();
  }

  /** Each client gets a port of its own, so that the server tells them apart. */
  #backOf(address: string, port: number): Socket {
    const key = `${address}:${port}`;
    const existing = this.#backs.get(key);
    if (existing) return existing;
    const back = createSocket('udp4');
    back.on('message', (bytes) => {
      if (!this.isHole(bytes, 'client') && !this.#isLost(this.toClientLoss)) this.#front.send(bytes, port, address);
    });
    this.#backs.set(key, back);
    return back;
  }

  #isLost(share: number): boolean {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    const isLost = this.#seed / 2 ** 32 < share;
    if (isLost) this.dropped += 1;
    return isLost;
  }
}

/** A UDP port that is free now. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
