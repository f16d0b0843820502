import { defaultVhost, srtStreamId } from '@weir/dialect';
import { ownTicketParameter } from '@weir/plane';
import type { Input } from '@weir/process';

/** How a program reads a stream of this server. */
export interface OwnInput {
  readonly input: Input;
  /** Texts in it that nobody may read in logs. */
  readonly secrets: readonly string[];
}

interface Place {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

interface Door {
  readonly host: string;
  readonly port: number;
  /** In its place the supervisor puts a ticket when it starts a program: what is planned stays the same. */
  readonly ownToken: string;
}

export function rtmpInput({ vhost, app, stream }: Place, { host, port, ownToken }: Door): OwnInput {
  const query = { ...(vhost !== defaultVhost && { vhost }), [ownTicketParameter]: ownToken };
  const playPath = `${stream}?${new URLSearchParams(query)}`;
  const options = [
    // Our own server sends the headers of both tracks first: a long look would only delay the start.
    '-analyzeduration',
    '1000000',
    '-probesize',
    '1000000',
    '-rw_timeout',
    '15000000',
    // Said apart, because ffmpeg cuts an address with more than two parts at another place than we do.
    '-rtmp_app',
    app,
    '-rtmp_playpath',
    playPath,
    '-rtmp_live',
    'live',
  ];
  const url = `rtmp://${host}:${port}/${encodeURI(app)}/${encodeURI(stream)}`;
  return { input: { kind: 'live', isWhole: true, url, options }, secrets: [ownToken] };
}

export function srtInput(
  { vhost, app, stream }: Place,
  { host, port, ownToken, passphrase }: Door & { readonly passphrase: string },
): OwnInput {
  const more = { ...(vhost !== defaultVhost && { vhost }), [ownTicketParameter]: ownToken };
  const id = srtStreamId({ app, name: stream }, 'request', more);
  const query = new URLSearchParams({ streamid: id, ...(passphrase !== '' && { passphrase }) });
  // ffmpeg takes a plus for itself.
  const url = `srt://${host}:${port}?${query.toString().replaceAll('+', '%20')}`;
  const options = ['-analyzeduration', '3000000', '-probesize', '3000000'];
  const secrets = passphrase === '' ? [ownToken] : [ownToken, passphrase, encodeURIComponent(passphrase)];
  return { input: { kind: 'live', isWhole: true, url, options }, secrets };
}
