import type { StreamAddresses } from '@weir/streams';

interface SrtValues {
  readonly host: string;
  readonly port: string;
  readonly latencyMs: string;
  readonly publishId: string;
  readonly playId: string;
}

/** Same as in the play URL: enough for one retransmission on a good network. */
const latencyMs = '20';

export function srtValues({ srtPublishUrl, srtPlayUrl }: StreamAddresses): SrtValues {
  const [, host = '', port = ''] = /^srt:\/\/(\[[^\]]+\]|[^:?]+)(?::(\d+))?/.exec(srtPublishUrl) ?? [];
  return { host, port, latencyMs, publishId: readStreamId(srtPublishUrl), playId: readStreamId(srtPlayUrl) };
}

/** The stream id begins with `#`, which a URL parser would take for a fragment. */
function readStreamId(url: string): string {
  const id = url.slice(url.indexOf('streamid=') + 'streamid='.length);
  return id.split('&')[0] ?? id;
}
