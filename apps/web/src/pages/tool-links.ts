import type { PageLink } from './page-frame.tsx';

const tools = {
  srs_player: '/players/srs_player.html',
  whep: '/players/whep.html',
  whip: '/players/whip.html',
} as const;
type Tool = keyof typeof tools;

const toolByPage: Record<string, Tool> = { player: 'srs_player', rtc_player: 'whep', rtc_publisher: 'whip' };

/** Links between the player pages. Parameters are kept, except the publish secret, which viewers do not need. */
export function toolLinks(page: string, address: URL, textOf: (tool: Tool) => string): PageLink[] {
  const current = toolByPage[page] ?? page;
  return (Object.keys(tools) as Tool[]).map((tool) => ({
    href: tools[tool] + toToolQuery(address, tool),
    text: textOf(tool),
    isCurrent: tool === current,
  }));
}

function toToolQuery(address: URL, tool: Tool): string {
  const kept = new URLSearchParams(address.search);
  kept.delete('url');
  // Following a link must not start a camera.
  kept.delete('autostart');
  if (tool !== 'whip') kept.delete('secret');
  const stream = kept.get('stream');
  if (stream !== null) kept.set('stream', tool === 'srs_player' ? stream : stream.replace(/\.[a-z0-9]+$/i, ''));
  const text = kept.toString();
  return text === '' ? '' : `?${text}`;
}

/** Player page of the same stream as low-latency HLS, which buffers more. Viewer tokens are kept. */
export function lowLatencyHlsPage(whep: URL): string {
  const query = new URLSearchParams(whep.search);
  const stream = query.get('stream') || 'livestream';
  for (const name of ['eip', 'secret']) query.delete(name);
  query.set('stream', `${stream}.ll.m3u8`);
  query.set('autostart', 'true');
  return `/players/srs_player.html?${query}`;
}

/** Viewer page of a stream published at a WHIP address, without the publish secret. */
export function buildWatchUrl(whip: URL, page: URL): string {
  const watch = new URL('/players/whep.html', page);
  const copy = (name: string) => {
    const value = whip.searchParams.get(name);
    if (value !== null) watch.searchParams.set(name, value);
  };
  for (const name of ['app', 'stream', 'vhost', 'eip']) copy(name);
  if (whip.hostname !== page.hostname) watch.searchParams.set('server', whip.hostname);
  if (whip.host !== page.host) {
    watch.searchParams.set('api', whip.port || (whip.protocol === 'https:' ? '443' : '80'));
  }
  watch.searchParams.set('autostart', 'true');
  return watch.pathname + watch.search;
}
