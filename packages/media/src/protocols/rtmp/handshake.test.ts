import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../../frame.ts';
import { ClientHandshake, ServerHandshake } from './handshake.ts';

const keyTail = Buffer.from('f0eec24a8068bee82e00d0d1029e7e576eec5d2d29806fab93b8e636cfeb31ae', 'hex');

/** C0 C1 as Flash Player sends them: with its digest in the block that starts at `block`. */
function signedHello(block: number): { hello: Buffer; digest: Buffer } {
  const c1 = randomBytes(1536);
  const offset = offsetIn(c1, block);
  const digest = digestAround(c1, offset, 'Genuine Adobe Flash Player 001');
  digest.copy(c1, offset);
  return { hello: Buffer.concat([Buffer.from([3]), c1]), digest };
}

function offsetIn(packet: Buffer, block: number): number {
  return block + 4 + (packet.subarray(block, block + 4).reduce((sum, byte) => sum + byte, 0) % 728);
}

function digestAround(packet: Buffer, offset: number, key: string): Buffer {
  const around = Buffer.concat([packet.subarray(0, offset), packet.subarray(offset + 32)]);
  return createHmac('sha256', key).update(around).digest();
}

describe('ServerHandshake', () => {
  it('echoes C1 to a client without a digest', () => {
    const client = new ClientHandshake();
    const { reply, isDone } = new ServerHandshake().push(client.hello);
    expect(isDone).toBe(false);
    expect(reply?.length).toBe(3073);
    expect(reply?.[0]).toBe(3);
    expect(reply?.subarray(1537)).toEqual(client.hello.subarray(1));
  });

  it.each([
    ['scheme 0', 772],
    ['scheme 1', 8],
  ])('proves its identity to a client that uses digest %s', (_name, block) => {
    const { hello, digest } = signedHello(block);
    const reply = new ServerHandshake().push(hello).reply ?? Buffer.alloc(3073);
    const s1 = reply.subarray(1, 1537);
    const offset = offsetIn(s1, block);
    const expected = digestAround(s1, offset, 'Genuine Adobe Flash Media Server 001');
    expect(s1.subarray(offset, offset + 32)).toEqual(expected);
    const s2 = reply.subarray(1537);
    const fullKey = Buffer.concat([Buffer.from('Genuine Adobe Flash Media Server 001'), keyTail]);
    const key = createHmac('sha256', fullKey).update(digest).digest();
    expect(s2.subarray(1504)).toEqual(createHmac('sha256', key).update(s2.subarray(0, 1504)).digest());
  });

  it('returns the bytes after the handshake, wherever the input is split', () => {
    const bytes = Buffer.concat([new ClientHandshake().hello, Buffer.alloc(1536, 7), Buffer.from('rest')]);
    for (const size of [1, 2, 3, 1535, 1536, 1537, 1538, 3072, 3073, 3075, 4000]) {
      const handshake = new ServerHandshake();
      const rest: Buffer[] = [];
      let replies = 0;
      let isDone = false;
      for (let at = 0; at < bytes.length; at += size) {
        const piece = bytes.subarray(at, at + size);
        if (isDone) {
          rest.push(piece);
          continue;
        }
        const step = handshake.push(piece);
        if (step.reply !== undefined) replies += 1;
        isDone = step.isDone;
        rest.push(step.rest);
      }
      expect({ size, replies, isDone, rest: Buffer.concat(rest).toString() }).toEqual({
        size,
        replies: 1,
        isDone: true,
        rest: 'rest',
      });
    }
  });

  it.each([0, 6, 8, 0x47, 255])('refuses version %i with its first byte', (version) => {
    expect(() => new ServerHandshake().push(Buffer.from([version]))).toThrow(MalformedMedia);
  });
});

describe('ClientHandshake', () => {
  it('completes with the server', () => {
    const client = new ClientHandshake();
    const server = new ServerHandshake();
    const answer = server.push(client.hello).reply ?? Buffer.alloc(0);
    const first = client.push(answer.subarray(0, 2000));
    expect(first).toMatchObject({ reply: undefined, isDone: false });
    const second = client.push(answer.subarray(2000));
    expect(second.isDone).toBe(true);
    expect(server.push(second.reply ?? Buffer.alloc(0)).isDone).toBe(true);
  });

  it('refuses a server of another protocol', () => {
    expect(() => new ClientHandshake().push(Buffer.from('HTTP/1.1 400'))).toThrow(MalformedMedia);
  });
});
