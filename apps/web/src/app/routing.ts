import type { Locale } from '@weir/contract';
import type { ScreenId } from '../lib/feature.ts';
import { localPath, paths } from '../lib/paths.ts';
import { isLocale } from '../lib/storage.ts';
import { screens } from './screens.ts';

type ParsedAddress =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'place'; readonly locale: Locale; readonly route: string };

interface Address {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** Language tags that the console does not support, such as `fr` or `pt-BR`. */
const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** Parses locale and route of an address, or returns a redirect. `current` is the locale in use. */
export function parseAddress({ pathname, search, hash }: Address, current: Locale): ParsedAddress {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const [first, ...rest] = segments;
  if (first === undefined) return { kind: 'redirect', to: localPath(current, paths.login) + search + hash };
  if (isLocale(first)) return { kind: 'place', locale: first, route: rest.join('/') };
  const path = languageTag.test(first) && rest.length > 0 ? rest : segments;
  return { kind: 'redirect', to: localPath(current, `/${path.join('/')}`) + search + hash };
}

export function selectScreen(route: string, state: { initialised: boolean; signedIn: boolean }): ScreenId {
  if (!state.initialised) return 'setup';
  const wanted = screens.find(({ id }) => id !== 'setup' && paths[id] === `/${route}`);
  return wanted && (state.signedIn || wanted.isOpen) ? wanted.id : 'login';
}

/** Replaces the locale of an address and keeps page and query. */
export function withLocale({ pathname, search, hash }: Address, locale: Locale): string {
  const [, first, ...rest] = pathname.split('/');
  return `/${[locale, ...(isLocale(first) ? rest : [first, ...rest])].join('/')}${search}${hash}`;
}

export function isPopout(search: string): boolean {
  return new URLSearchParams(search).get('popout') === '1';
}
