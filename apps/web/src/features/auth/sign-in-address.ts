import { signInFlag } from '@weir/contract';
import { paths } from '../../lib/paths.ts';

const tabKey = 'WEIR_SIGN_IN_KNOWN';

/** Whether this address shows the sign-in form. */
export function asksForSignIn(search: string): boolean {
  return new URLSearchParams(search).has(signInFlag);
}

/** The form's address inside the console. */
export const signInPath = `${paths.login}?${signInFlag}`;

/** The address to keep as a bookmark. */
export function signInBookmark(origin: string): string {
  return `${origin}/mgmt/?${signInFlag}`;
}

/** Whoever was signed in in this browser tab may be shown the way back; a stranger's tab does not know it. */
export function rememberSignIn(): void {
  try {
    sessionStorage.setItem(tabKey, '1');
  } catch {
    // Without storage the bookmark is the way back.
  }
}

export function remembersSignIn(): boolean {
  try {
    return sessionStorage.getItem(tabKey) === '1';
  } catch {
    return false;
  }
}
