import type { Locale } from '@weir/contract';
import { localPath, paths } from '../lib/paths.ts';
import { isLocale } from '../lib/storage.ts';

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

export type Screen = 'setup' | 'login' | 'logout' | 'scenario' | 'settings' | 'components' | 'contact' | 'talk';

export function selectScreen(route: string, state: { initialised: boolean; signedIn: boolean }): Screen {
  if (!state.initialised) return 'setup';
  if (route === 'routers-popout') return 'talk';
  if (!state.signedIn) return 'login';
  switch (route) {
    case 'routers-scenario':
      return 'scenario';
    case 'routers-settings':
      return 'settings';
    case 'routers-components':
      return 'components';
    case 'routers-contact':
      return 'contact';
    case 'routers-logout':
      return 'logout';
    default:
      return 'login';
  }
}

/** Replaces the locale of an address and keeps page and query. */
export function withLocale({ pathname, search, hash }: Address, locale: Locale): string {
  const [, first, ...rest] = pathname.split('/');
  return `/${[locale, ...(isLocale(first) ? rest : [first, ...rest])].join('/')}${search}${hash}`;
}

export function isPopout(search: string): boolean {
  return new URLSearchParams(search).get('popout') === '1';
}
