import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../../frame.ts';
import { chooseOpus, chooseRepair, chooseToReceive, chooseToSend, parseSdpOffer, writeSdpAnswer } from './index.ts';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const session = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1', 'a=extmap-allow-mixed'];
const transport = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${fingerprint}`,
  'a=setup:actpass',
];
const video = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102 103 104 45',
  'c=IN IP4 0.0.0.0',
  ...transport,
  'a=mid:0',
  'a=sendonly',
  'a=rtcp-mux',
  'a=rtcp-rsize',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 packetization-mode=0;profile-level-id=42e01f',
  'a=rtpmap:103 H264/90000',
  'a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  'a=rtcp-fb:103 nack',
  'a=rtcp-fb:103 nack pli',
  'a=rtcp-fb:103 transport-cc',
  'a=rtcp-fb:103 goog-remb',
  'a=rtpmap:104 H264/90000',
  'a=fmtp:104 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=64001f',
  'a=rtpmap:45 H265/90000',
];
const audio = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 0',
  'c=IN IP4 0.0.0.0',
  ...transport,
  'a=mid:1',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:0 PCMU/8000',
];
const text = (...lines: readonly (readonly string[])[]) => `${lines.flat().join('\r\n')}\r\n`;
const offerText = text(session, video, audio);

describe('retransmission in SDP', () => {
  it('has a codec and a source of its own in the answer, with transport feedback', () => {
    const name = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
    const lines = ['a=rtpmap:98 rtx/90000', 'a=fmtp:98 apt=103', `a=extmap:3 ${name}`, 'a=extmap:99 urn:too:high'];
    const offer = parseSdpOffer(text(session, [...video, ...lines]).replace('103 104 45', '103 98 104 45'));
    const [media] = offer.media;
    const codec = media?.codecs.find(({ payloadType }) => payloadType === 103);
    if (!media || !codec) throw new Error('not read');
    const repair = chooseRepair(media, codec);
    expect(repair?.payloadType).toBe(98);
    expect([...media.extensions]).toEqual([[name, 3]]);
    const sdp = writeSdpAnswer({
      offer,
      iceUfrag: 'u',
      icePwd: 'p',
      fingerprint: 'f',
      candidates: [],
      streamId: 's',
      isIceLite: true,
      media: [
        {
          codec,
          direction: 'sendonly',
          ssrc: 10,
          transportNumber: { id: 3, name },
          repair: repair && { codec: repair, ssrc: 11 },
        },
      ],
    });
    for (const line of [
      'a=ice-lite',
      'm=video 9 UDP/TLS/RTP/SAVPF 103 98',
      'a=rtpmap:98 rtx/90000',
      'a=fmtp:98 apt=103',
      'a=ssrc-group:FID 10 11',
      'a=ssrc:11 cname:s',
      `a=extmap:3 ${name}`,
      'a=rtcp-fb:103 transport-cc',
    ])
      expect(sdp.split('\r\n')).toContain(line);
    // The SSRC of a received track is not known yet.
    const received = writeSdpAnswer({
      offer,
      iceUfrag: 'u',
      icePwd: 'p',
      fingerprint: 'f',
      candidates: [],
      streamId: 's',
      media: [{ codec, direction: 'recvonly', repair: repair && { codec: repair }, transportNumber: { id: 3, name } }],
    });
    expect(received).toContain('a=rtpmap:98 rtx/90000');
    expect(received).not.toContain('ssrc');
  });
});

describe('an SDP offer', () => {
  it('is parsed as far as an answer needs it', () => {
    const offer = parseSdpOffer(offerText);
    expect(offer).toMatchObject({ iceUfrag: 'abcd', setup: 'actpass', fingerprint: { algorithm: 'sha-256' } });
    expect(offer.media.map(({ kind, mid, direction }) => [kind, mid, direction])).toEqual([
      ['video', '0', 'sendonly'],
      ['audio', '1', 'sendrecv'],
    ]);
    expect(offer.media[1]?.codecs[0]).toMatchObject({ payloadType: 111, name: 'opus', clockRate: 48_000, channels: 2 });
  });

  it.each([
    ['nothing', ''],
    ['no media', text(session)],
    ['no credentials', offerText.replaceAll(/a=ice-pwd.*\r\n/g, '')],
    [
      'a password that carries another line',
      offerText.replaceAll('abcdefghijklmnopqrstuvwx', 'abcdefghijklmnopqrstuvw x'),
    ],
    ['no fingerprint', offerText.replaceAll(/a=fingerprint.*\r\n/g, '')],
    ['nobody who begins', offerText.replaceAll('actpass', 'holdconn')],
    ['a thousand media', text(session, ...Array.from({ length: 1000 }, () => video))],
    ['the same media twice', text(session, video, video)],
    ['a million lines', `v=0\n${'a=x\n'.repeat(10_000)}`],
  ])('with %s is refused', (_what, given) => {
    expect(() => parseSdpOffer(given)).toThrow(MalformedMedia);
  });

  it('of any text is parsed or refused, and an answer contains no injected line', () => {
    const mutated = fc
      .tuple(
        fc.nat(offerText.length),
        fc.nat(30),
        fc.string({ maxLength: 12, unit: fc.constantFrom(...'a=:; /\r\n\0é0m') }),
      )
      .map(([at, cut, put]) => offerText.slice(0, at) + put + offerText.slice(at + cut));
    fc.assert(
      fc.property(fc.oneof(mutated, fc.string()), (given) => {
        try {
          const offer = parseSdpOffer(given);
          const media = offer.media.map((entry) => ({ codec: entry.codecs[0], direction: 'recvonly' as const }));
          const answer = writeSdpAnswer({
            offer,
            media,
            iceUfrag: 'u',
            icePwd: 'p',
            fingerprint: 'f',
            candidates: [],
            streamId: 's',
          });
          if (!/^(?:[a-z]=[\x20-\x7e]*\r\n)+$/.test(answer)) throw new Error(`a strange answer: ${answer}`);
        } catch (error) {
          if (!(error instanceof MalformedMedia)) throw error;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('codec selection', () => {
  const [pictures, sound] = parseSdpOffer(offerText).media;
  if (!pictures || !sound) throw new Error('no media');

  it('to receive prefers H.264 in fragments, else the first codec that can be relayed', () => {
    expect(chooseToReceive(pictures, ['h265'])).toMatchObject({ codec: 'h264', offered: { payloadType: 103 } });
    const without = { ...pictures, codecs: pictures.codecs.filter(({ name }) => name !== 'h264') };
    expect(chooseToReceive(without, ['h265'])).toMatchObject({ codec: 'h265', offered: { payloadType: 45 } });
    expect(chooseToReceive(without, [])).toBeUndefined();
  });

  it('to send uses the codec of the stream, in its profile if that is offered', () => {
    expect(chooseToSend(pictures, 'h264', 0x64)?.payloadType).toBe(104);
    expect(chooseToSend(pictures, 'h264', 0x4d)?.payloadType).toBe(103);
    expect(chooseToSend(pictures, 'h265')?.payloadType).toBe(45);
    expect(chooseToSend(pictures, 'av1')).toBeUndefined();
    // Clients that offer only single NAL units still get fragments.
    const single = { ...pictures, codecs: pictures.codecs.filter(({ payloadType }) => payloadType === 102) };
    expect(chooseToSend(single, 'h264', 0x64)?.payloadType).toBe(102);
    expect(chooseOpus(sound)?.payloadType).toBe(111);
  });
});

describe('an SDP answer', () => {
  it.each([
    ['actpass', 'passive'],
    ['active', 'passive'],
    ['passive', 'active'],
  ])('to an offer that is %s says %s', (offered, answered) => {
    const offer = parseSdpOffer(offerText.replaceAll('actpass', offered));
    const [codec] = offer.media[0]?.codecs ?? [];
    const facts = { iceUfrag: 'u', icePwd: 'p', fingerprint: 'f', candidates: [], streamId: 's' };
    const answer = writeSdpAnswer({ offer, media: [{ codec, direction: 'recvonly' }], ...facts });
    expect(/a=setup:(\w+)/.exec(answer)?.[1]).toBe(answered);
  });

  it('names every codec of its media lines, also of refused ones', () => {
    const offer = parseSdpOffer(
      text(
        session,
        video,
        audio,
        video.map((line) => line.replace('mid:0', 'mid:2')),
      ),
    );
    const [pictures] = offer.media;
    const codec = pictures?.codecs.find(({ payloadType }) => payloadType === 102);
    const refused = { codec: undefined, direction: 'sendonly' } as const;
    const facts = { iceUfrag: 'u', icePwd: 'p', fingerprint: 'f', candidates: [], streamId: 's' };
    const answer = writeSdpAnswer({ offer, media: [{ codec, direction: 'sendonly' }, refused, refused], ...facts });
    const sections = answer.split('m=').slice(1);
    expect(sections.map((section) => section.split(' ')[1])).toEqual(['9', '0', '0']);
    for (const section of sections) {
      const [, , , ...formats] = section.split('\r\n')[0]?.split(' ') ?? [];
      for (const format of formats) expect(section).toContain(`a=rtpmap:${format} `);
    }
  });

  it('accepts the chosen codecs, refuses the rest, and agrees only to feedback that we send', () => {
    const offer = parseSdpOffer(
      text(session, video, audio, ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:2', ...transport]),
    );
    const [pictures] = offer.media;
    const codec = pictures?.codecs.find(({ payloadType }) => payloadType === 103);
    const answer = writeSdpAnswer({
      offer,
      media: [
        { codec, direction: 'sendonly', ssrc: 77 },
        { codec: undefined, direction: 'sendonly' },
        { codec: undefined, direction: 'sendonly' },
      ],
      iceUfrag: 'ours',
      icePwd: 'secret',
      fingerprint: `sha-256 ${fingerprint}`,
      candidates: [
        { address: '192.0.2.1', port: 8000 },
        { address: '2001:db8::1', port: 65_535 },
      ],
      streamId: 'stream',
    });
    const lines = answer.split('\r\n');
    expect(lines).toContain('a=group:BUNDLE 0');
    expect(lines.filter((line) => line.startsWith('m='))).toEqual([
      'm=video 9 UDP/TLS/RTP/SAVPF 103',
      'm=audio 0 UDP/TLS/RTP/SAVPF 111',
      'm=application 0 UDP/DTLS/SCTP webrtc-datachannel',
    ]);
    expect(lines.filter((line) => line.startsWith('a=rtcp-fb'))).toEqual([
      'a=rtcp-fb:103 nack',
      'a=rtcp-fb:103 nack pli',
      'a=rtcp-fb:103 goog-remb',
    ]);
    expect(lines.filter((line) => line.startsWith('a=candidate'))).toEqual([
      'a=candidate:1 1 udp 2130706431 192.0.2.1 8000 typ host generation 0',
      'a=candidate:2 1 udp 2130706175 2001:db8::1 65535 typ host generation 0',
    ]);
    expect(lines).toContain('a=ssrc:77 cname:stream');
    expect(lines).toContain('a=setup:passive');
    // Holds for a refused section as well.
    expect(lines).toContain('a=rtpmap:111 opus/48000/2');
  });
});
