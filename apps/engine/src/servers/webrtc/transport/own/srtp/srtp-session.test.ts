import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { NativeContext } from '../native/native-context.ts';
import { type SrtpProfile, sessionKeys, srtpProfiles } from './srtp-keys.ts';
import { SrtpSession } from './srtp-session.ts';

let bench: NativeContext;
beforeAll(async () => {
  bench = await NativeContext.load();
});

const profiles = [srtpProfiles[7], srtpProfiles[1]];

function pair(profile: SrtpProfile) {
  const make = () => ({ key: randomBytes(16), salt: randomBytes(profile.saltBytes) });
  const [here, there] = [make(), make()];
  const sender = new SrtpSession(bench, profile, { ours: here, theirs: there });
  const receiver = new SrtpSession(bench, profile, { ours: there, theirs: here });
  return { sender, receiver, keys: here };
}

type Way = 'sealRtp' | 'sealRtcp' | 'openRtp' | 'openRtcp';

/** Through the arena and out of it; undefined when it is refused. */
function pass(session: SrtpSession, way: Way, bytes: Buffer): Buffer | undefined {
  const { at } = bench.packet;
  bytes.copy(bench.arena.bytes, at);
  const length = session[way](at, bytes.length);
  return length < 0 ? undefined : Buffer.from(bench.arena.bytes.subarray(at, at + length));
}

function rtp(sequence: number, payload: Buffer, ssrc = 0x12345678): Buffer {
  const header = Buffer.from('806000000000000100000000', 'hex');
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(ssrc, 8);
  return Buffer.concat([header, payload]);
}

const report = Buffer.from('80c90001000000070102030405060708', 'hex');

describe('SrtpSession keys', () => {
  it('match the test vectors of RFC 3711, B.3', () => {
    const master = {
      key: Buffer.from('E1F97A0D3E018BE0D64FA32C06DE4139', 'hex'),
      salt: Buffer.from('0EC675AD498AFEEBB6960B3AABE6', 'hex'),
    };
    const { key, salt, auth } = sessionKeys(master, 'rtp');
    expect(key.toString('hex').toUpperCase()).toBe('C61E7A93744F39EE10734AFE3FF7A087');
    expect(salt.toString('hex').toUpperCase()).toBe('30CBBC08863D8C85D49DB34A9AE1');
    expect(auth.toString('hex').toUpperCase()).toBe('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4');
  });
});

describe('SrtpSession', () => {
  it('protects a packet with GCM as node:crypto does, with its header and rollover counter', () => {
    const { sender, keys } = pair(srtpProfiles[7]);
    const { key, salt } = sessionKeys(keys, 'rtp');
    const [before, after] = [rtp(0xffff, randomBytes(50)), rtp(0, randomBytes(700))];
    pass(sender, 'sealRtp', before);
    const nonce = Buffer.from('0000123456780000000100000000', 'hex').subarray(0, 12);
    for (const [index, octet] of salt.entries()) nonce[index] = (nonce[index] ?? 0) ^ octet;
    const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(after.subarray(0, 12));
    const sealed = Buffer.concat([
      after.subarray(0, 12),
      cipher.update(after.subarray(12)),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    expect(pass(sender, 'sealRtp', after)?.equals(sealed)).toBe(true);
  });

  it('protects a packet with counter mode and SHA-1 as node:crypto does', () => {
    const { sender, keys } = pair(srtpProfiles[1]);
    const { key, salt, auth } = sessionKeys(keys, 'rtp');
    const packet = rtp(5, randomBytes(333));
    const start = Buffer.concat([salt, Buffer.alloc(2)]);
    for (const [index, octet] of Buffer.from('123456780000000000050000', 'hex').entries())
      start[4 + index] = (start[4 + index] ?? 0) ^ octet;
    const body = createCipheriv('aes-128-ctr', key, start).update(packet.subarray(12));
    const sealed = Buffer.concat([packet.subarray(0, 12), body]);
    const tag = createHmac('sha1', auth).update(sealed).update(Buffer.alloc(4)).digest().subarray(0, 10);
    expect(pass(sender, 'sealRtp', packet)?.equals(Buffer.concat([sealed, tag]))).toBe(true);
  });
});

describe.each(profiles)('SrtpSession between two peers with $name', (profile) => {
  it('unprotects packets and reports unchanged, over many rollovers of their numbers', () => {
    const { sender, receiver } = pair(profile);
    for (let sequence = 60_000; sequence < 60_000 + 3 * 65_536; sequence += 997) {
      const packet = rtp(sequence, Buffer.from(`picture ${sequence}`));
      const sealed = pass(sender, 'sealRtp', packet);
      expect(sealed && pass(receiver, 'openRtp', sealed)?.equals(packet)).toBe(true);
    }
    for (let count = 0; count < 3; count++) {
      const sealed = pass(sender, 'sealRtcp', report);
      expect(sealed?.subarray(8).includes(report.subarray(8))).toBe(false);
      expect(sealed && pass(receiver, 'openRtcp', sealed)?.equals(report)).toBe(true);
    }
  });

  it('protects a payload at another address, or the rest of one, as if it were in place, and does not change it', () => {
    const { sender } = pair(profile);
    const { bytes } = bench.arena;
    const room = bench.acquireRoom();
    const at = room.data.at;
    const from = room.payloads.at;
    for (const length of [0, 1, 2, 300, 1200]) {
      const packet = rtp(length, randomBytes(length));
      const whole = pass(sender, 'sealRtp', packet);
      for (const written of [12, 14, 12 + length].filter((octets) => octets <= packet.length)) {
        bytes.fill(0xee, at, at + 2048);
        packet.copy(bytes, at, 0, written);
        packet.copy(bytes, from, written);
        const sealed = sender.sealRtp(at, packet.length, written, from);
        expect(bytes.subarray(at, at + sealed)).toEqual(whole);
        expect(bytes.subarray(from, from + packet.length - written)).toEqual(packet.subarray(written));
      }
      expect(sender.sealRtp(at, packet.length, 11, from)).toBe(-1);
    }
    expect(() => sender.sealRtp(at, 1000, 12, bench.arena.bytes.length - 100)).toThrow(RangeError);
    bench.giveBack(room);
    expect(bench.arena.isIntact).toBe(true);
  });

  it('repeats a packet with the same bytes, and accepts nothing twice', () => {
    const { sender, receiver } = pair(profile);
    const packets = Array.from({ length: 100 }, (_, n) => rtp(65_500 + n, Buffer.from([n])));
    const sealed = packets.map((packet) => pass(sender, 'sealRtp', packet) ?? Buffer.alloc(0));
    expect(packets.every((packet, n) => pass(sender, 'sealRtp', packet)?.equals(sealed[n] ?? report))).toBe(true);
    const late = sealed.splice(40, 1)[0] ?? report;
    expect(sealed.filter((bytes) => pass(receiver, 'openRtp', bytes))).toHaveLength(99);
    expect(sealed.filter((bytes) => pass(receiver, 'openRtp', bytes))).toHaveLength(0);
    expect(pass(receiver, 'openRtp', late)).toBeDefined();
    expect(pass(receiver, 'openRtp', late)).toBeUndefined();
    const control = pass(sender, 'sealRtcp', report) ?? Buffer.alloc(0);
    expect([pass(receiver, 'openRtcp', control), pass(receiver, 'openRtcp', control)]).toEqual([report, undefined]);
  });

  it('refuses any other packet, however it is cut or garbled, and writes no other memory', () => {
    const { sender, receiver } = pair(profile);
    const real = pass(sender, 'sealRtp', rtp(7, randomBytes(40))) ?? Buffer.alloc(0);
    const control = pass(sender, 'sealRtcp', report) ?? Buffer.alloc(0);
    const any = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(any, fc.nat(), fc.integer({ min: 1, max: 255 }), (noise, at, mask) => {
        for (const bytes of [noise, Buffer.concat([real, noise]).subarray(0, at % (real.length + noise.length))]) {
          if (!bytes.equals(real)) expect(pass(receiver, 'openRtp', bytes)).toBeUndefined();
          if (!bytes.equals(control)) expect(pass(receiver, 'openRtcp', bytes)).toBeUndefined();
        }
        for (const [bytes, way] of [
          [real, 'openRtp'],
          [control, 'openRtcp'],
        ] as const) {
          const garbled = Buffer.from(bytes);
          garbled[at % garbled.length] = (garbled[at % garbled.length] ?? 0) ^ mask;
          expect(pass(receiver, way, garbled)).toBeUndefined();
        }
      }),
      { numRuns: 1500 },
    );
    expect(bench.arena.isIntact).toBe(true);
    expect(pass(receiver, 'openRtp', real)).toBeDefined();
  });

  it('limits the number of sources of a peer with its key', () => {
    const { sender, receiver } = pair(profile);
    const taken = Array.from(
      { length: 100 },
      (_, n) => pass(sender, 'sealRtp', rtp(1, report, n + 1)) ?? report,
    ).filter((sealed) => pass(receiver, 'openRtp', sealed));
    expect(taken).toHaveLength(32);
  });
});
