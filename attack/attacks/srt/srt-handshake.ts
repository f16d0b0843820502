import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const request = { induction: 1, conclusion: -1 } as const;
const controlType = {
  handshake: 0x8000_0000,
  keepAlive: 0x8001_0000,
  confirmation: 0x8002_0000,
  shutdown: 0x8005_0000,
};
const answerMs = 500;

/** Values that a caller claims in its handshake. */
interface Claims {
  /** Packets that it takes at once. */
  readonly window: number;
  readonly streamId?: string;
}

/** Handshake packet of SRT: a control header of 16 bytes and a body of 48. */
function handshake(type: number, cookie: number, socketId: number, { window, streamId }: Claims): Buffer {
  const isConclusion = type === request.conclusion;
  const packet = Buffer.alloc(64);
  packet.writeUInt32BE(controlType.handshake, 0);
  packet.writeUInt32BE(isConclusion ? 5 : 4, 16);
  // Encryption (none) and extensions: those of a caller with a request of its own, else what an induction says.
  packet.writeUInt16BE(isConclusion ? (streamId === undefined ? 1 : 5) : 2, 22);
  packet.writeUInt32BE(1, 24);
  packet.writeUInt32BE(1500, 28);
  packet.writeUInt32BE(window, 32);
  packet.writeInt32BE(type, 36);
  packet.writeUInt32BE(socketId, 40);
  packet.writeUInt32BE(cookie, 44);
  packet.set([1, 0, 0, 127], 48);
  if (!isConclusion) return packet;
  const extension = Buffer.alloc(16);
  extension.writeUInt16BE(1, 0);
  extension.writeUInt16BE(3, 2);
  extension.writeUInt32BE(0x010501, 4);
  extension.writeUInt32BE(0xbf, 8);
  extension.writeUInt32BE(0x0078_0078, 12);
  return Buffer.concat([packet, extension, streamId === undefined ? Buffer.alloc(0) : streamIdExtension(streamId)]);
}

/** Texts travel in words whose octets are turned around. */
function streamIdExtension(streamId: string): Buffer {
  const words = Math.ceil(streamId.length / 4);
  const bytes = Buffer.alloc(4 + 4 * words);
  bytes.write(streamId, 4, 'latin1');
  bytes.subarray(4).swap32();
  bytes.writeUInt16BE(5, 0);
  bytes.writeUInt16BE(words, 2);
  return bytes;
}

/** Control packet for the server's end of a connection. */
function control(type: number, to: number, body: Buffer): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32BE(type, 0);
  header.writeUInt32BE(to, 12);
  return Buffer.concat([header, body]);
}

/** Callers behind one UDP socket that write their datagrams themselves. */
export class SrtCallerSocket {
  /** Bytes of media that arrived. */
  mediaBytes = 0;
  /** Own ids of connections that the server ended. */
  readonly ended = new Set<number>();
  /** Number of the newest packet of media by own id. */
  readonly newest = new Map<number, number>();
  readonly #socket: Socket;
  readonly #port: number;
  readonly #waiting = new Map<number, (answer: Buffer) => void>();

  private constructor(socket: Socket, port: number) {
    this.#socket = socket;
    this.#port = port;
    socket.on('message', (message) => this.#onMessage(message));
  }

  static async open(port: number): Promise<SrtCallerSocket> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new SrtCallerSocket(socket, port);
  }

  /** The server's id of the connection; undefined when it was refused or nobody answered. */
  async call(id: number, claims: Claims): Promise<number | undefined> {
    const induction = await this.#exchange(id, handshake(request.induction, 0, id, claims));
    if (!induction) return undefined;
    const cookie = induction.readUInt32BE(44);
    const answer = await this.#exchange(id, handshake(request.conclusion, cookie, id, claims));
    // An accepting answer repeats the request; a refusing one carries a code above 1000.
    return answer?.readInt32BE(36) === request.conclusion ? answer.readUInt32BE(40) : undefined;
  }

  keepAlive(to: number): void {
    this.#send(control(controlType.keepAlive, to, Buffer.alloc(4)));
  }

  /** Confirms everything before the packet `next`, in the short form without figures. */
  confirm(to: number, next: number): void {
    const body = Buffer.alloc(4);
    body.writeUInt32BE(next, 0);
    this.#send(control(controlType.confirmation, to, body));
  }

  close(): void {
    this.#socket.close();
  }

  async #exchange(id: number, question: Buffer): Promise<Buffer | undefined> {
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
    this.#waiting.set(id, resolve);
    this.#send(question);
    const timer = setTimeout(() => resolve(undefined), answerMs);
    const answer = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return answer;
  }

  #send(packet: Buffer): void {
    this.#socket.send(packet, this.#port, '127.0.0.1');
  }

  #onMessage(message: Buffer): void {
    if (message.length < 16) return;
    const [type, id] = [message.readUInt32BE(0), message.readUInt32BE(12)];
    if (type < 0x8000_0000) {
      this.mediaBytes += message.length;
      this.newest.set(id, type);
    } else if (type === controlType.handshake && message.length >= 64) this.#waiting.get(id)?.(message);
    else if ((type & 0xffff_0000) >>> 0 === controlType.shutdown) this.ended.add(id);
  }
}
