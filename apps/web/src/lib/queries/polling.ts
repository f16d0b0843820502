import { isSignInEnded } from '../api.ts';
import { slowPollWhileConnected } from '../events/event-feed-state.ts';

/** Parts of a page that come one after the other share one answer. */
export const mountStaleMs = 2000;

/** Asks again every so often. A sign-in that ended does not come back by asking again. */
export function pollWhileSignedIn(intervalMs: number): (query: { state: { error: unknown } }) => number | false {
  return ({ state }) => (isSignInEnded(state.error) ? false : intervalMs);
}

/** The same for what the server tells of by itself: seldom while it is heard. */
export function pollUnlessEventsArrive(intervalMs: number): (query: { state: { error: unknown } }) => number | false {
  return ({ state }) => (isSignInEnded(state.error) ? false : slowPollWhileConnected(intervalMs));
}
