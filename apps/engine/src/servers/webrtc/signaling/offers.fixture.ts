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
