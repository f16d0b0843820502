import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSimulcast, parseSdpOffer, writeSdpAnswer } from './index.ts';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const names = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  repaired: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
};
const extensions = [`a=extmap:9 ${names.mid}`, `a=extmap:10 ${names.rid}`, `a=extmap:11 ${names.repaired}`];

function offerOf(lines: readonly string[]) {
  const text = [
    'v=0',
    'm=video 9 UDP/TLS/RTP/SAVPF 102',
    'a=mid:0',
    'a=sendonly',
    'a=rtcp-mux',
    'a=setup:actpass',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuvwx',
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=rtpmap:102 H264/90000',
    ...lines,
  ];
  return parseSdpOffer(text.join('\r\n'));
}

function chosen(lines: readonly string[]) {
  const [media] = offerOf(lines).media;
  const [codec] = media?.codecs ?? [];
  if (!media || !codec) throw new Error('not read');
  return chooseSimulcast(media, codec);
}

const sent = (...rids: readonly string[]) => rids.map((rid) => `a=rid:${rid} send`);
const ridsOf = (lines: readonly string[], simulcast: string) =>
  chosen([...extensions, ...lines, `a=simulcast:${simulcast}`])?.rids;

describe('simulcast of an SDP offer', () => {
  it.each([
    ['three layers', sent('l', 'm', 'h'), 'send l;m;h', ['l', 'm', 'h']],
    ['two, in the order of the list', sent('1', '0'), 'send 0;1', ['0', '1']],
    ['at most four', sent('a', 'b', 'c', 'd', 'e'), 'send a;b;c;d;e', ['a', 'b', 'c', 'd']],
    ['layers that are paused at first', sent('l', 'm', 'h'), 'send ~l;m;~h', ['l', 'm', 'h']],
    ['the first of alternatives', sent('a', 'b', 'c', 'd'), 'send a,b;~c,d', ['a', 'c']],
    ['the first alternative that is offered', sent('b', 'd'), 'send a,b;c,~d', ['b', 'd']],
    ['what is sent where both directions are offered', sent('1', '2', '3'), 'recv 3 send 1;2', ['1', '2']],
    ['each name once', sent('a', 'b'), 'send a;a;b;a', ['a', 'b']],
    ['no name of more than 16 characters', sent('a', 'b', 'x'.repeat(17)), `send a;${'x'.repeat(17)};b`, ['a', 'b']],
    ['no name that is not declared', sent('a', 'b'), 'send a;b;c', ['a', 'b']],
    ['no layer of another codec', [...sent('a', 'b'), 'a=rid:c send pt=96'], 'send a;b;c', ['a', 'b']],
    [
      'a layer limited to this codec among others',
      ['a=rid:a send pt=96,102;max-width=1280', ...sent('b')],
      'send a;b',
      ['a', 'b'],
    ],
  ])('has %s', (_what, lines, simulcast, rids) => {
    expect(ridsOf(lines, simulcast)).toEqual(rids);
  });

  it.each([
    ['one layer', sent('a'), 'send a'],
    ['two of which one cannot be named', sent('a', 'ö'), 'send a;ö'],
    ['layers to be received', ['a=rid:a recv', 'a=rid:b recv'], 'recv a;b'],
    ['names without the list', sent('a', 'b'), ''],
    ['a list without names', [], 'send a;b'],
    ['an empty list', sent('a', 'b'), 'send'],
  ])('is refused with %s', (_what, lines, simulcast) => {
    expect(ridsOf(lines, simulcast)).toBeUndefined();
  });

  it('is refused when packets cannot name their layer', () => {
    const lines = [...sent('a', 'b'), 'a=simulcast:send a;b'];
    expect(chosen(lines)).toBeUndefined();
    // Numbers above 14 need headers of two octets.
    expect(chosen([...lines, `a=extmap:15 ${names.rid}`])).toBeUndefined();
    expect(chosen([...lines, `a=extmap:2 ${names.rid}`])).toMatchObject({ rid: { id: 2 }, repairedRid: undefined });
    const same = [`a=extmap:2 ${names.rid}`, `a=extmap:2 ${names.repaired}`];
    expect(chosen([...lines, ...same])).toMatchObject({ repairedRid: undefined });
  });

  it('of any text is bounded, and its answer contains no injected line', () => {
    const unit = fc.constantFrom(...'ab01;,~ =:-_sendrcvpt\r\né\0');
    const line = fc.tuple(fc.constantFrom('rid:', 'simulcast:', 'simulcast:send ', 'extmap:'), fc.string({ unit }));
    const good = [...extensions, ...sent('a', 'b', '0', '1'), 'a=simulcast:send a;b'];
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.nat(good.length), (lines, at) => {
        const texts = lines.map(([name, value]) => `a=${name}${value}`);
        const offer = offerOf([...good.slice(0, at), ...texts, ...good.slice(at)]);
        const [media] = offer.media;
        const [codec] = media?.codecs ?? [];
        const simulcast = media && codec && chooseSimulcast(media, codec);
        const rids = simulcast?.rids ?? ['a', 'b'];
        expect(rids.length).toBeGreaterThanOrEqual(2);
        expect(rids.length).toBeLessThanOrEqual(4);
        expect(new Set(rids).size).toBe(rids.length);
        const answer = writeSdpAnswer({
          offer,
          iceUfrag: 'u',
          icePwd: 'p',
          fingerprint: 'f',
          candidates: [],
          streamId: 's',
          media: offer.media.map(() => ({ codec, direction: 'recvonly', simulcast })),
        });
        expect(answer).toMatch(/^(?:[a-z]=[\x20-\x7e]*\r\n)+$/);
      }),
    );
  });
});
