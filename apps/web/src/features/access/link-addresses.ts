import { type AddressInput, srtStreamId, streamAddresses } from '@weir/streams';

interface Link {
  /** Name of the stream for viewers. */
  readonly playback: string;
  readonly token: string;
}

/** What viewers enter, by protocol. */
export interface LinkAddresses {
  readonly page: string;
  readonly hls: string;
  readonly lowLatencyHls: string;
  readonly flv: string;
  readonly whep: string;
  readonly rtmp: string;
  readonly srt: string;
}

/** URLs of a stream by its playback id. None names the stream itself. */
export function linkAddresses(
  { playback, token }: Link,
  { page, environment }: Pick<AddressInput, 'page' | 'environment'>,
): LinkAddresses {
  const place = { app: 'play', name: playback };
  const plain = streamAddresses({ path: `${place.app}/${place.name}`, page, environment });
  const hls = withToken(plain.m3u8Url, token);
  const origin = new URL(plain.m3u8Url).origin;
  const srtServer = plain.srtPlayUrl.slice(0, plain.srtPlayUrl.indexOf('?'));
  return {
    page: withToken(`${origin}/watch/${playback}`, token),
    hls,
    lowLatencyHls: hls.replace('.m3u8', '.ll.m3u8'),
    flv: withToken(plain.flvUrl, token),
    whep: withToken(plain.whepUrl, token),
    rtmp: withToken(plain.rtmpServer + plain.rtmpStreamKey, token),
    srt: `${srtServer}?streamid=${srtStreamId(place, 'request', { token })}`,
  };
}

function withToken(url: string, token: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}token=${token}`;
}
