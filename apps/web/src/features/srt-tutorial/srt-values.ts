import type { StreamAddresses } from '@weir/dialect';

/** The SRT addresses in the pieces that programs with a form ask for. */
interface SrtValues {
  readonly host: string;
  readonly port: string;
  readonly latencyMs: string;
  readonly publishId: string;
  readonly playId: string;
}

/** As in the play address: enough for one repair of a lost packet on a good line. */
const latencyMs = '20';

export function srtValues({ srtPublishUrl, srtPlayUrl }: StreamAddresses): SrtValues {
  const [, host = '', port = ''] = /^srt:\/\/(\[[^\]]+\]|[^:?]+)(?::(\d+))?/.exec(srtPublishUrl) ?? [];
  return { host, port, latencyMs, publishId: readStreamId(srtPublishUrl), playId: readStreamId(srtPlayUrl) };
}

/** A stream id begins with `#`, which a URL parser would take for its end. */
function readStreamId(url: string): string {
  const id = url.slice(url.indexOf('streamid=') + 'streamid='.length);
  return id.split('&')[0] ?? id;
}
