import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MalformedMedia } from '../../frame.ts';

interface HandshakeStep {
  readonly reply: Buffer | undefined;
  readonly isDone: boolean;
  /** Bytes after the handshake, which belong to the chunk stream. Empty until it is done. */
  readonly rest: Buffer;
}

const version = 3;
const packetSize = 1536;
const digestSize = 32;
const nothing = Buffer.alloc(0);

// The keys of Adobe's "genuine" handshake: a readable half for the digest of C1/S1, the whole for that of C2/S2.
const keyTail = Buffer.from('f0eec24a8068bee82e00d0d1029e7e576eec5d2d29806fab93b8e636cfeb31ae', 'hex');
const playerKey = Buffer.from('Genuine Adobe Flash Player 001');
const serverKey = Buffer.from('Genuine Adobe Flash Media Server 001');
const fullServerKey = Buffer.concat([serverKey, keyTail]);

/** The server's half: C0 C1 in, S0 S1 S2 out, C2 in. C2 is counted, not checked: too many encoders send anything. */
export class ServerHandshake {
  readonly #hello = Buffer.alloc(1 + packetSize);
  #received = 0;

  push(chunk: Buffer): HandshakeStep {
    const before = this.#received;
    const total = this.#hello.length + packetSize;
    const used = Math.min(chunk.length, total - before);
    if (before < this.#hello.length) chunk.copy(this.#hello, before, 0, used);
    this.#received = before + used;
    if (this.#received > 0 && this.#hello[0] !== version) {
      throw new MalformedMedia(`RTMP version ${this.#hello[0]} is not supported`);
    }
    const isHelloComplete = before < this.#hello.length && this.#received >= this.#hello.length;
    return {
      reply: isHelloComplete ? answerHello(this.#hello.subarray(1)) : undefined,
      isDone: this.#received === total,
      rest: this.#received === total ? chunk.subarray(used) : nothing,
    };
  }
}

/** The caller's half, simple form: send `hello`, then the reply that `push` gives. */
export class ClientHandshake {
  readonly hello = Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetSize - 8)]);
  readonly #answer = Buffer.alloc(1 + 2 * packetSize);
  #received = 0;

  push(chunk: Buffer): HandshakeStep {
    const used = Math.min(chunk.length, this.#answer.length - this.#received);
    chunk.copy(this.#answer, this.#received, 0, used);
    this.#received += used;
    if (this.#received > 0 && this.#answer[0] !== version) throw new MalformedMedia('the server does not speak RTMP');
    if (this.#received < this.#answer.length) return { reply: undefined, isDone: false, rest: nothing };
    // C2 repeats S1.
    return { reply: this.#answer.subarray(1, 1 + packetSize), isDone: true, rest: chunk.subarray(used) };
  }
}

function answerHello(c1: Buffer): Buffer {
  const digestAt = findDigest(c1);
  if (digestAt === undefined) return answerSimply(c1);
  const isDigestFirst = digestAt.block === firstBlock;
  const reply = Buffer.alloc(1 + 2 * packetSize);
  reply[0] = version;
  const s1 = reply.subarray(1, 1 + packetSize);
  randomBytes(packetSize - 8).copy(s1, 8);
  s1.writeUInt32BE(0x04050001, 4);
  const ownOffset = digestOffset(s1, isDigestFirst ? firstBlock : secondBlock);
  digestAround(s1, ownOffset, serverKey).copy(s1, ownOffset);
  const s2 = reply.subarray(1 + packetSize);
  randomBytes(packetSize - digestSize).copy(s2);
  const clientDigest = c1.subarray(digestAt.offset, digestAt.offset + digestSize);
  const key = createHmac('sha256', fullServerKey).update(clientDigest).digest();
  createHmac('sha256', key)
    .update(s2.subarray(0, packetSize - digestSize))
    .digest()
    .copy(s2, packetSize - digestSize);
  return reply;
}

function answerSimply(c1: Buffer): Buffer {
  return Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetSize - 8), c1]);
}

//  scheme 0:  time 4 | version 4 | key block 764    | digest block 764
//  scheme 1:  time 4 | version 4 | digest block 764 | key block 764
//  digest block:  offset 4 | random | digest 32 at (sum of the offset's bytes) mod 728 | random
const firstBlock = 8;
const secondBlock = 8 + 764;

function findDigest(c1: Buffer): { readonly block: number; readonly offset: number } | undefined {
  for (const block of [secondBlock, firstBlock]) {
    const offset = digestOffset(c1, block);
    const claimed = c1.subarray(offset, offset + digestSize);
    if (timingSafeEqual(claimed, digestAround(c1, offset, playerKey))) return { block, offset };
  }
  return undefined;
}

function digestOffset(packet: Buffer, block: number): number {
  const sum =
    packet.readUInt8(block) + packet.readUInt8(block + 1) + packet.readUInt8(block + 2) + packet.readUInt8(block + 3);
  return block + 4 + (sum % 728);
}

function digestAround(packet: Buffer, offset: number, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(packet.subarray(0, offset))
    .update(packet.subarray(offset + digestSize))
    .digest();
}
