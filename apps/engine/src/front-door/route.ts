import { allowedMethods, badRequest, type Failure, wrongMethod } from '../http/failures.ts';
import { readTarget } from '../http/request-target.ts';
import { findMediaKind } from './media-path.ts';

/** Destination of a request: the control plane or a media server of this process. */
export type Destination = 'control' | 'rtc' | 'media';

type Route =
  | { readonly to: Destination | 'preflight' }
  | { readonly to: 'redirect'; readonly location: string }
  | { readonly to: 'refused'; readonly failure: Failure };

const consolePath = '/mgmt';

interface Rule {
  readonly to: Destination;
  readonly matches: (path: string) => boolean;
}

const prefix = (text: string, to: Destination): Rule => ({ to, matches: (path) => path.startsWith(text) });
const exact = (text: string, to: Destination): Rule => ({ to, matches: (path) => path === text });

/**
 * First match wins, and the order is the contract: API prefixes come before media suffixes, so that
 * `/terraform/v1/hooks/record/hls/x.m3u8` is an API path.
 */
const rules: readonly Rule[] = [
  // The target of the root is a setting.
  exact('/', 'control'),
  exact('/index.html', 'control'),
  prefix('/terraform/', 'control'),
  prefix('/.well-known/', 'control'),
  prefix('/console/', 'control'),
  prefix('/players/', 'control'),
  prefix('/tools/', 'control'),
  prefix('/rtc/v1/', 'rtc'),
  prefix('/api/', 'control'),
  // Exists only where an operator enabled it; otherwise it is an unknown page.
  exact('/metrics', 'control'),
  exact(consolePath, 'control'),
  prefix(`${consolePath}/`, 'control'),
  { to: 'media', matches: (path) => findMediaKind(path) !== undefined },
  // Pages of viewers, and the documentation. Apps may be called so: their media was found above.
  prefix('/watch/', 'control'),
  prefix('/embed/', 'control'),
  exact('/docs', 'control'),
  prefix('/docs/', 'control'),
  // An app may be called so; what is no stream of it was meant for the API.
  prefix('/rtc/', 'rtc'),
];

/** Decides from the request line alone who answers. `target` is the request target as it came, with its query. */
export function chooseRoute(method: string, target: string): Route {
  if (!allowedMethods.includes(method)) return { to: 'refused', failure: wrongMethod };
  if (method === 'OPTIONS' && (target.startsWith('/') || target === '*')) return { to: 'preflight' };
  const read = readTarget(target);
  if (!read) return { to: 'refused', failure: badRequest('the request URL is not valid') };
  const rule = rules.find(({ matches }) => matches(read.path));
  if (rule) return { to: rule.to };
  return { to: 'redirect', location: consolePath };
}
