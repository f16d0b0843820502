import type { Locale } from '@weir/contract';
import { useNavigate } from 'react-router';
import { useLocale } from './i18n.ts';

/** Console paths without their language prefix: `/en/routers-login`. */
export const paths = {
  login: '/routers-login',
  logout: '/routers-logout',
  scenario: '/routers-scenario',
  settings: '/routers-settings',
  components: '/routers-components',
  contact: '/routers-contact',
  talk: '/routers-popout',
} as const;

/** Navigation state for the sign-out page: no session is left to confirm. */
export const endedSession = { ended: true } as const;

export function localPath(locale: Locale, path: string): string {
  return `/${locale}${path}`;
}

/** Builds links in the current language. */
export function useLocalPath(): (path: string) => string {
  const locale = useLocale();
  return (path) => localPath(locale, path);
}

/** Opens a path in the current language. */
export function useOpenPath(): (path: string) => void {
  const navigate = useNavigate();
  const localPath = useLocalPath();
  return (path) => void navigate(localPath(path));
}
