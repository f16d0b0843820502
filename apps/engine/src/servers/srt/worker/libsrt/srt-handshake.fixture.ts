import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Fields of a handshake; the others are those of libsrt. */
export interface Claims {
  readonly window?: number;
  readonly packetBytes?: number;
  readonly sequence?: number;
  readonly streamId?: string;
  /** Further extensions: type and text. */
  readonly extensions?: readonly (readonly [number, string])[];
}

const induction = 1;
const conclusion = -1;
const answerWithinMs = 15_000;
const repeatMs = 250;

/** Caller that writes its own datagrams, with any claims. */
export class RawCaller {
  readonly #socket: Socket;
  readonly #port: number;
  readonly #host: string;
  readonly #answers = new Map<number, Buffer>();
  #id = 1 + Math.floor(Math.random() * 2 ** 20) * 1024;
  #cookie = 0;

  private constructor(socket: Socket, host: string, port: number) {
    this.#socket = socket;
    this.#host = host;
    this.#port = port;
    socket.on('message', (answer) => {
      if (answer.length >= 64 && answer.readUInt32BE(0) === 0x8000_0000)
        this.#answers.set(answer.readUInt32BE(12), answer);
    });
  }

  /** Resolves once it has the listener's cookie. */
  static async open(port: number, from = '127.0.0.1'): Promise<RawCaller> {
    const isV6 = from.includes(':');
    const socket = createSocket(isV6 ? 'udp6' : 'udp4');
    socket.bind(0, from);
    await once(socket, 'listening');
    const caller = new RawCaller(socket, isV6 ? '::1' : '127.0.0.1', port);
    const answer = await caller.#exchange({ version: 4, type: induction });
    caller.#cookie = answer.readUInt32BE(44);
    return caller;
  }

  /** Sends the conclusion. Resolves with the type of the answer: -1 if accepted, 1000 and the reason if refused. */
  async conclude(claims: Claims): Promise<number> {
    const answer = await this.#exchange({ ...claims, version: 5, type: conclusion });
    return answer.readInt32BE(36);
  }

  /** Sends the conclusion without waiting; `answerTo` has the answer. */
  throwConclusion(claims: Claims): Promise<number> {
    return this.#throw({ ...claims, version: 5, type: conclusion });
  }

  answerTo(id: number): number | undefined {
    return this.#answers.get(id)?.readInt32BE(36);
  }

  /** Sends keep-alives for each connection, and confirms nothing. */
  keepAlive(): void {
    for (const answer of this.#answers.values()) {
      if (answer.readInt32BE(36) !== conclusion) continue;
      const packet = Buffer.alloc(20);
      packet.writeUInt32BE(0x8001_0000, 0);
      packet.writeUInt32BE(answer.readUInt32BE(40), 12);
      this.#socket.send(packet, this.#port, this.#host);
    }
  }

  close(): void {
    this.#socket.close();
  }

  #throw(handshake: Omit<Handshake, 'id' | 'cookie'>): Promise<number> {
    const id = ++this.#id;
    const { promise, resolve } = Promise.withResolvers<number>();
    const bytes = written({ ...handshake, id, cookie: this.#cookie });
    this.#socket.send(bytes, this.#port, this.#host, () => resolve(id));
    return promise;
  }

  /** Repeats its packet as callers do, because the listener may be starting. */
  async #exchange(handshake: Omit<Handshake, 'id' | 'cookie'>): Promise<Buffer> {
    const asked: number[] = [];
    for (let waitedMs = 0; waitedMs < answerWithinMs; waitedMs += 5) {
      if (waitedMs % repeatMs === 0) asked.push(await this.#throw(handshake));
      await sleep(5);
      const answer = asked.map((id) => this.#answers.get(id)).find((given) => given !== undefined);
      if (answer) return answer;
    }
    throw new Error('the listener does not answer');
  }
}

interface Handshake extends Claims {
  readonly id: number;
  readonly version: number;
  readonly type: number;
  readonly cookie: number;
}

function written({ window = 8192, packetBytes = 1500, sequence = 1000, ...rest }: Handshake): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0x8000_0000, 0);
  bytes.writeUInt32BE(rest.version, 16);
  // Version 4: datagrams. Version 5: which extensions follow, the first kind and the others.
  bytes.writeUInt32BE(rest.version === 4 ? 2 : 5, 20);
  bytes.writeUInt32BE(sequence, 24);
  bytes.writeUInt32BE(packetBytes, 28);
  bytes.writeInt32BE(window, 32);
  bytes.writeInt32BE(rest.type, 36);
  bytes.writeUInt32BE(rest.id, 40);
  bytes.writeUInt32BE(rest.cookie, 44);
  bytes.writeUInt32LE(0x7f00_0001, 48);
  if (rest.version === 4) return bytes;
  // Version 1.5.1, what libsrt can do, and the delays.
  const request = Buffer.from('00010003000105010000003f00140014', 'hex');
  const texts = [...(rest.streamId === undefined ? [] : [[5, rest.streamId] as const]), ...(rest.extensions ?? [])];
  return Buffer.concat([bytes, request, ...texts.map(([type, text]) => extension(type, text))]);
}

/** Texts are sent as 32-bit words with reversed bytes. */
function extension(type: number, text: string): Buffer {
  const words = Math.ceil(text.length / 4);
  const bytes = Buffer.alloc(4 + 4 * words);
  bytes.write(text, 4, 'latin1');
  bytes.subarray(4).swap32();
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(words, 2);
  return bytes;
}
