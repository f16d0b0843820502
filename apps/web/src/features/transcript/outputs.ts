import { transcriptHlsPath } from '@weir/contract';

type OutputKind = 'porg' | 'pol' | 'pvtt';

interface Output {
  /** Also the key of its label: original, burnt-in text, WebVTT. */
  readonly kind: OutputKind;
  readonly url: string;
  readonly player: string;
}

type Page = Pick<Location, 'origin' | 'protocol' | 'port'>;

export function listOutputs(uuid: string, page: Page, hasWebVtt: boolean): Output[] {
  const paths: [OutputKind, string][] = [
    ['porg', `original/${uuid}.m3u8`],
    ['pol', `overlay/${uuid}.m3u8`],
    ...(hasWebVtt ? [['pvtt', `webvtt/${uuid}/index.m3u8`] as [OutputKind, string]] : []),
  ];
  return paths.map(([kind, path]) => {
    const whole = `${transcriptHlsPath}/${path}`;
    return { kind, url: `${page.origin}${whole}`, player: playerUrl(whole, page) };
  });
}

function playerUrl(path: string, { protocol, port }: Page): string {
  const schema = protocol.replace(':', '');
  const cut = path.lastIndexOf('/');
  const query = new URLSearchParams({
    schema,
    port: port || (schema === 'https' ? '443' : '80'),
    autostart: 'true',
    app: path.slice(1, cut),
    stream: path.slice(cut + 1),
  });
  return `/players/srs_player.html?${query}`;
}
