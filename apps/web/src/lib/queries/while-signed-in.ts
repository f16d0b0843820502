import { isSignInEnded } from '../api.ts';

/** Asks again every so often. A sign-in that ended does not come back by asking again. */
export function whileSignedIn(intervalMs: number): (query: { state: { error: unknown } }) => number | false {
  return ({ state }) => (isSignInEnded(state.error) ? false : intervalMs);
}
