/** The video of Chromium 156 with three `sendEncodings`; its codecs but for one are left out. */
export const browserLayers = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102 103',
  'c=IN IP4 0.0.0.0',
  'a=rtcp:9 IN IP4 0.0.0.0',
  'a=ice-ufrag:VHfH',
  'a=ice-pwd:palfAOTpLMphV+C/miu7DJ/b',
  'a=ice-options:trickle',
  'a=fingerprint:sha-256 61:27:66:F6:76:B2:EC:5A:6D:66:C9:BD:3C:4D:06:5B:61:28:2C:DF:D0:5A:B3:4C:22:51:93:D5:7A:35:54:9E',
  'a=setup:actpass',
  'a=mid:0',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:toffset',
  'a=extmap:4 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  'a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  'a=extmap:13 https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension',
  'a=extmap:14 http://www.webrtc.org/experiments/rtp-hdrext/video-layers-allocation00',
  'a=sendonly',
  'a=msid:c2b00fce-6e66-4b3d-9b93-7d0481e394e0 ed1292bb-8b47-45c3-91cd-5221f4a1ff0c',
  'a=rtcp-mux',
  'a=rtcp-rsize',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:102 H264/90000',
  'a=rtcp-fb:102 goog-remb',
  'a=rtcp-fb:102 transport-cc',
  'a=rtcp-fb:102 ccm fir',
  'a=rtcp-fb:102 nack',
  'a=rtcp-fb:102 nack pli',
  'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f',
  'a=rtpmap:103 rtx/90000',
  'a=fmtp:103 apt=102',
  'a=rid:l send',
  'a=rid:m send',
  'a=rid:h send',
  'a=simulcast:send l;m;h',
];

/** The video of OBS 32 with three layers, by what is known of it: fixed extensions, one SSRC, no RTX, rid 0 is the best. */
export const encoderLayers = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 0.0.0.0',
  'a=mid:1',
  'a=sendonly',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap:2 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  'a=ssrc:4242 cname:obs',
  'a=ssrc:4242 msid:obs obs-video',
  'a=msid:obs obs-video',
  'a=rtcp-mux',
  'a=rtpmap:96 H264/90000',
  'a=rtcp-fb:96 nack',
  'a=rtcp-fb:96 nack pli',
  'a=rtcp-fb:96 goog-remb',
  'a=fmtp:96 profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1',
  'a=rid:0 send',
  'a=rid:1 send',
  'a=rid:2 send',
  'a=simulcast:send 0;1;2',
  'a=setup:actpass',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  'a=fingerprint:sha-256 61:27:66:F6:76:B2:EC:5A:6D:66:C9:BD:3C:4D:06:5B:61:28:2C:DF:D0:5A:B3:4C:22:51:93:D5:7A:35:54:9E',
];

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const transport = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${fingerprint}`,
  'a=setup:actpass',
  'a=rtcp-mux',
];

export function offerText(...sections: readonly (readonly string[])[]): string {
  return `${['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', ...sections.flat()].join('\r\n')}\r\n`;
}

/** A video section with these payload types and codecs; what else it has comes last. */
export function videoSection(maps: readonly string[], more: readonly string[] = ['a=sendonly'], mid = '0'): string[] {
  const types = maps.map((map) => map.split(' ')[0]);
  const line = `m=video 9 UDP/TLS/RTP/SAVPF ${types.length > 0 ? types.join(' ') : '96'}`;
  return [line, ...transport, `a=mid:${mid}`, ...maps.map((map) => `a=rtpmap:${map}`), ...more];
}

export function audioSection(): string[] {
  return ['m=audio 9 UDP/TLS/RTP/SAVPF 111', ...transport, 'a=mid:1', 'a=sendonly', 'a=rtpmap:111 opus/48000/2'];
}
