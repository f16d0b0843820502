import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** UDP between callers and a server, where some packets get lost on their way, in both directions. */
export class LossyProxy {
  readonly #front: Socket;
  readonly #backs = new Map<number, Socket>();
  readonly #isLost: () => boolean;
  lost = 0;
  passed = 0;

  private constructor(front: Socket, targetPort: number, isLost: () => boolean) {
    this.#front = front;
    this.#isLost = isLost;
    front.on('message', (packet, { port }) =>
      this.#carry(() => this.#backOf(port).send(packet, targetPort, '127.0.0.1')),
    );
  }

  /** One in `every` packets does not arrive, by a fixed sequence of chance. */
  static async open(targetPort: number, every: number): Promise<LossyProxy> {
    const front = createSocket('udp4');
    front.bind(0, '127.0.0.1');
    await once(front, 'listening');
    let state = 1;
    const isLost = () => {
      state = (state * 48_271) % 0x7fff_ffff;
      return state % every === 0;
    };
    return new LossyProxy(front, targetPort, isLost);
  }

  get port(): number {
    return this.#front.address().port;
  }

  close(): void {
    this.#front.close();
    for (const back of this.#backs.values()) back.close();
  }

  #backOf(port: number): Socket {
    const existing = this.#backs.get(port);
    if (existing) return existing;
    const back = createSocket('udp4');
    back.on('message', (packet) => this.#carry(() => this.#front.send(packet, port, '127.0.0.1')));
    this.#backs.set(port, back);
    return back;
  }

  #carry(send: () => void): void {
    if (this.#isLost()) {
      this.lost += 1;
      return;
    }
    this.passed += 1;
    send();
  }
}
