import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isProved, parseStunAnswer, parseStunCheck, writeStun, writeStunAnswer, writeStunCheck } from './index.ts';

/** The sample request of RFC 5769, 2.1; its password has 22 characters. */
const sample = Buffer.from(
  '000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b151263b36' +
    '000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf',
  'hex',
);
const password = 'VOkJxbRl1RmTxUk/WvJxBt';

describe('a STUN connectivity check', () => {
  it('is parsed and authenticated as in RFC 5769', () => {
    const check = parseStunCheck(sample);
    expect(check).toMatchObject({ localUfrag: 'evtj', remoteUfrag: 'h6vY', isNominated: false });
    if (!check) throw new Error('not read');
    expect(isProved(sample, check, password)).toBe(true);
    expect(isProved(sample, check, `${password}x`)).toBe(false);
  });

  it('is refused when any of its authenticated bytes is changed', () => {
    const checksum = 8;
    for (let at = 0; at < sample.length - checksum; at++) {
      const garbled = Buffer.from(sample);
      garbled[at] = (garbled[at] ?? 0) ^ 0x40;
      const check = parseStunCheck(garbled);
      expect(check !== undefined && isProved(garbled, check, password)).toBe(false);
    }
  });

  it('nominates its path only where that is authenticated', () => {
    const id = Buffer.alloc(12, 7);
    const name: [number, Buffer] = [0x0006, Buffer.from('ours:theirs')];
    const nominated = parseStunCheck(writeStun(1, id, [name, [0x0025, Buffer.alloc(0)]], 'p'));
    expect(nominated).toMatchObject({ localUfrag: 'ours', remoteUfrag: 'theirs', isNominated: true });
    const proof: [number, Buffer] = [0x0008, Buffer.alloc(20)];
    expect(parseStunCheck(writeStun(1, id, [name, proof, [0x0025, Buffer.alloc(0)]], 'p'))?.isNominated).toBe(false);
    expect(parseStunCheck(writeStun(1, id, [[0x0006, Buffer.from('no colon')]], 'p'))).toBeUndefined();
    expect(parseStunCheck(writeStun(0x101, id, [name], 'p'))).toBeUndefined();
  });

  it.each([1, 22, 63, 64, 65, 200])('is authenticated by a password of %i characters as HMAC does', (length) => {
    const secret = 'é+/='.repeat(50).slice(0, length);
    const own = writeStun(1, Buffer.alloc(12, 7), [[0x0006, Buffer.from('ours:theirs')]], secret);
    const check = parseStunCheck(own);
    if (!check) throw new Error('not read');
    const proved = Buffer.from(own.subarray(0, check.integrityAt));
    proved.writeUInt16BE(check.integrityAt + 24 - 20, 2);
    // Passwords of ICE have only characters of one octet each.
    const key = Buffer.from(secret, length > 64 ? 'utf8' : 'latin1');
    const proof = createHmac('sha1', key).update(proved).digest();
    expect(own.subarray(check.integrityAt + 4, check.integrityAt + 24)).toEqual(proof);
    expect(isProved(own, check, secret)).toBe(true);
  });

  it('is answered with its source address, as in RFC 5769', () => {
    const check = parseStunCheck(sample);
    if (!check) throw new Error('not read');
    const four = writeStunAnswer(check, Buffer.from([192, 0, 2, 1]), 32_853, password);
    expect(four.readUInt16BE(0)).toBe(0x0101);
    expect(four.includes(Buffer.from('002000080001a147e112a643', 'hex'))).toBe(true);
    const six = Buffer.from('20010db8123456780011223344556677', 'hex');
    const answer = writeStunAnswer(check, six, 32_853, password);
    expect(answer.includes(Buffer.from('002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9', 'hex'))).toBe(true);
  });

  it('written by us is parsed by the other side, and its answer is recognised', () => {
    const transactionId = Buffer.alloc(12, 9);
    const own = writeStunCheck({ transactionId, localUfrag: 'ours', remoteUfrag: 'theirs', remotePwd: 'secret' });
    const check = parseStunCheck(own);
    expect(check).toMatchObject({ localUfrag: 'theirs', remoteUfrag: 'ours', isNominated: false });
    if (!check) throw new Error('not read');
    expect(isProved(own, check, 'secret')).toBe(true);
    const bytes = writeStunAnswer(check, Buffer.alloc(4), 1, 'secret');
    const answer = parseStunAnswer(bytes);
    expect(answer?.transactionId).toEqual(transactionId);
    expect([answer && isProved(bytes, answer, 'secret'), answer && isProved(bytes, answer, 'other')]).toEqual([
      true,
      false,
    ]);
    expect(parseStunAnswer(own)).toBeUndefined();
  });

  it('is parsed or refused, whatever its bytes', () => {
    const any = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(any, any, fc.nat(), (head, tail, at) => {
        parseStunCheck(head);
        const message = Buffer.concat([sample.subarray(0, at % sample.length), tail]);
        if (message.length >= 20) message.writeUInt16BE(message.length - 20, 2);
        const check = parseStunCheck(message);
        if (check && isProved(message, check, 'other')) throw new Error('proved');
      }),
      { numRuns: 3000 },
    );
  });
});
