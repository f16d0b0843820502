import { signInFlag } from '@weir/contract';
import { paths } from '../../lib/paths.ts';

const tabKey = 'WEIR_SIGN_IN_KNOWN';

export function asksForSignIn(search: string): boolean {
  return new URLSearchParams(search).has(signInFlag);
}

export const signInPath = `${paths.login}?${signInFlag}`;

export function signInBookmark(origin: string): string {
  return `${origin}/mgmt/?${signInFlag}`;
}

/** Lets this browser tab show the link to the form later. Tabs of other visitors never show it. */
export function rememberSignIn(): void {
  try {
    sessionStorage.setItem(tabKey, '1');
  } catch {
    // Without storage the bookmark still works.
  }
}

export function remembersSignIn(): boolean {
  try {
    return sessionStorage.getItem(tabKey) === '1';
  } catch {
    return false;
  }
}
