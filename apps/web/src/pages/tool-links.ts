import type { PageLink } from './page-frame.tsx';

const tools = {
  srs_player: '/players/srs_player.html',
  whep: '/players/whep.html',
  whip: '/players/whip.html',
} as const;
type Tool = keyof typeof tools;

const toolByPage: Record<string, Tool> = { player: 'srs_player', rtc_player: 'whep', rtc_publisher: 'whip' };

/** Links between the players. They keep what the address says, except the right to publish: viewers need none. */
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
  // Following a link is not yet a wish to start a camera.
  kept.delete('autostart');
  if (tool !== 'whip') kept.delete('secret');
  const stream = kept.get('stream');
  if (stream !== null) kept.set('stream', tool === 'srs_player' ? stream : stream.replace(/\.[a-z0-9]+$/i, ''));
  const text = kept.toString();
  return text === '' ? '' : `?${text}`;
}
