import { writeSdpAnswer } from '@weir/media/sdp';
import { describe, expect, it } from 'vitest';
import { agreeToReceive, readOffer } from './negotiation.ts';
import { audioSection, browserLayers, encoderLayers, offerText, videoSection } from './offers.fixture.ts';
import { RequestFailed } from './request-body.ts';

const h264 = ['102 H264/90000', '103 rtx/90000'];
const failureOf = (text: string) => {
  try {
    agreeToReceive(readOffer(text));
    return undefined;
  } catch (error) {
    if (error instanceof RequestFailed) return error.failure;
    throw error;
  }
};

describe('a WebRTC offer to publish', () => {
  it.each([
    ['VP8 alone', [videoSection(['96 VP8/90000', '97 rtx/90000'])], 'VP8'],
    ['VP8 beside audio', [videoSection(['96 VP8/90000']), audioSection()], 'VP8'],
    ['no codec that can be read', [videoSection([]), audioSection()], 'no codec'],
    ['H.264 without rtcp-mux', [videoSection(h264).filter((line) => line !== 'a=rtcp-mux')], 'rtcp-mux'],
  ])('of %s is refused with 422 and the reason', (_what, sections, reason) => {
    expect(failureOf(offerText(...sections))).toMatchObject({
      status: 422,
      message: expect.stringContaining(reason),
    });
  });

  it.each([
    ['audio alone', [audioSection()]],
    ['VP8 and H.264', [videoSection(['96 VP8/90000', ...h264]), audioSection()]],
    ['one usable video of two', [videoSection(['96 VP8/90000']), videoSection(h264, [], '7'), audioSection()]],
    ['video that is not sent', [videoSection(['96 VP8/90000'], ['a=inactive']), audioSection()]],
  ])('of %s is accepted', (_what, sections) => {
    const text = offerText(...sections);
    expect(failureOf(text)).toBeUndefined();
    expect(agreeToReceive(readOffer(text)).audio ?? agreeToReceive(readOffer(text)).video).toBeDefined();
  });
});

const answerTo = (text: string) => {
  const offer = readOffer(text);
  const { media, video } = agreeToReceive(offer);
  const facts = { iceUfrag: 'u', icePwd: 'p', fingerprint: 'f', candidates: [], streamId: 's' };
  return { video, lines: writeSdpAnswer({ offer, media, ...facts }).split('\r\n') };
};

it('a publisher without RTX gets transport feedback, which it needs to detect congestion', () => {
  const extension = 'a=extmap:4 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
  const feedback = 'a=rtcp-fb:102 transport-cc';
  const { video, lines } = answerTo(
    offerText(videoSection(['102 H264/90000'], ['a=sendonly', feedback, extension]), audioSection()),
  );
  expect(video).toMatchObject({ repairType: undefined, transportNumber: 4 });
  expect(lines).toEqual(expect.arrayContaining([extension, feedback]));
});

describe('a WebRTC offer of several layers', () => {
  it('by a browser is accepted with all layers, under its own numbers, at full rate from the start', () => {
    const { video, lines } = answerTo(offerText(browserLayers, audioSection()));
    for (const line of [
      'm=video 9 UDP/TLS/RTP/SAVPF 102 103',
      'a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid',
      'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
      'a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
      'a=rid:l recv',
      'a=rid:m recv',
      'a=rid:h recv',
      'a=simulcast:recv l;m;h',
      'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f;x-google-start-bitrate=4000',
    ])
      expect(lines).toContain(line);
    expect(lines.filter((line) => line.includes('simulcast') || line.includes('extmap'))).toHaveLength(5);
    expect(video).toMatchObject({
      payloadType: 102,
      repairType: 103,
      transportNumber: 4,
      simulcast: { rids: ['l', 'm', 'h'], ridId: 10, repairedRidId: 11 },
    });
  });

  it('by an encoder without RTX is accepted with the numbers it uses regardless of the answer', () => {
    const { video, lines } = answerTo(
      offerText(
        audioSection().map((line) => line.replace('a=mid:1', 'a=mid:0')),
        encoderLayers,
      ),
    );
    expect(lines).toContain('a=extmap:2 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id');
    expect(lines).toContain('a=simulcast:recv 0;1;2');
    expect(video?.simulcast).toEqual({ rids: ['0', '1', '2'], ridId: 2, repairedRidId: undefined });
  });

  it('gets no ambiguous retransmission stream, and no simulcast without layer identifiers', () => {
    const without = (name: string) =>
      offerText(
        browserLayers.filter((line) => !line.endsWith(name)),
        audioSection(),
      );
    const repaired = answerTo(without('sdes:repaired-rtp-stream-id'));
    expect(repaired.video).toMatchObject({ repairType: undefined, simulcast: { ridId: 10 } });
    expect(repaired.lines).toContain('m=video 9 UDP/TLS/RTP/SAVPF 102');
    const named = answerTo(without('sdes:rtp-stream-id'));
    expect(named.video?.simulcast).toBeUndefined();
    expect(named.lines.filter((line) => /simulcast|rid:|x-google/.test(line))).toEqual([]);
    expect(named.video).toMatchObject({ repairType: 103 });
  });
});
