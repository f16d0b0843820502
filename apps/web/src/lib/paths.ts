import type { Locale } from '@weir/contract';
import { useLocale } from './i18n.ts';

/** Addresses of the console without their language: the language comes first, `/en/routers-login`. */
export const paths = {
  login: '/routers-login',
  logout: '/routers-logout',
  scenario: '/routers-scenario',
  settings: '/routers-settings',
  components: '/routers-components',
  contact: '/routers-contact',
} as const;

/** State of a step to the sign-out page when there is no session left to ask about. */
export const endedSession = { ended: true } as const;

export function localPath(locale: Locale, path: string): string {
  return `/${locale}${path}`;
}

/** Builds links in the language being read. */
export function useLocalPath(): (path: string) => string {
  const locale = useLocale();
  return (path) => localPath(locale, path);
}
