import type { PlayerSource } from '../session/player-source.ts';

/** Cue feed of a live stream on this server; undefined for anything else, because other servers have no such feed. */
export function findCueAddress({ kind, url }: PlayerSource, page: URL): string | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || address.origin !== page.origin || address.pathname.startsWith('/terraform/')) return undefined;
  const path = kind === 'whep' ? parseWhepPath(address) : parseMediaPath(address.pathname);
  if (path === undefined) return undefined;
  const cues = new URL(page.origin);
  cues.pathname = `${path}.cues`;
  cues.search = address.search;
  return cues.href;
}

function parseMediaPath(path: string): string | undefined {
  return /^(.+?)(?:\.flv|(?:\.ll|\.dvr)?\.m3u8)$/.exec(path)?.[1];
}

/** Moves `app` and `stream` from the query into the path. */
function parseWhepPath({ searchParams }: URL): string | undefined {
  const app = searchParams.get('app');
  const stream = searchParams.get('stream');
  searchParams.delete('app');
  searchParams.delete('stream');
  return app && stream ? `/${[...app.split('/'), stream].map(encodeURIComponent).join('/')}` : undefined;
}
