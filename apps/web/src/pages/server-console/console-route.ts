import { decodedText } from '@weir/streams';
import { parsePort } from '../page-parameters.ts';

export const views = ['summaries', 'vhosts', 'streams', 'clients'] as const;
type View = (typeof views)[number];

export interface ConsoleRoute {
  readonly view: View;
  /** Row to show in detail. */
  readonly id: string | undefined;
  /** Query after the hash, unchanged; links keep it. */
  readonly query: string;
  /** Media port; undefined means the page's own. */
  readonly playerPort: string | undefined;
}

/** `#/streams/vid-1?port=2022&http=2022`. Unknown routes open the first view. */
export function parseRoute(hash: string): ConsoleRoute {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const [, named = '', id] = path.split('/');
  const view = views.find((candidate) => candidate === named) ?? 'summaries';
  return {
    view,
    id: id === undefined || id === '' || view === 'summaries' ? undefined : (decodedText(id) ?? id),
    query,
    playerPort: parsePort(new URLSearchParams(query).get('http')),
  };
}

export function routeHash(view: View, query: string, id?: string): string {
  const row = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  return `#/${view}${row}${query === '' ? '' : `?${query}`}`;
}
