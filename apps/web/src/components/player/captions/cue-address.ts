import type { PlayerSource } from '../session/player-source.ts';

/**
 * Where a stream of this server tells what is said in it. Undefined for what is not a live stream of ours: other servers would be asked
 * for something they do not have.
 */
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
  return /^(.+?)(?:\.flv|(?:\.ll)?\.m3u8)$/.exec(path)?.[1];
}

/** The parameters name the stream, and are then no parameters of the new address. */
function parseWhepPath({ searchParams }: URL): string | undefined {
  const app = searchParams.get('app');
  const stream = searchParams.get('stream');
  searchParams.delete('app');
  searchParams.delete('stream');
  return app && stream ? `/${[...app.split('/'), stream].map(encodeURIComponent).join('/')}` : undefined;
}
