import { isSignInEnded } from '../api.ts';
import { slowPollWhileConnected } from '../events/event-feed-state.ts';

/** Components that mount one after the other share one response. */
export const mountStaleMs = 2000;

/** Poll interval that stops when the session has ended. */
export function pollWhileSignedIn(intervalMs: number): (query: { state: { error: unknown } }) => number | false {
  return ({ state }) => (isSignInEnded(state.error) ? false : intervalMs);
}

/** Poll interval for data that server events keep up to date: slower while they arrive. */
export function pollUnlessEventsArrive(intervalMs: number): (query: { state: { error: unknown } }) => number | false {
  return ({ state }) => (isSignInEnded(state.error) ? false : slowPollWhileConnected(intervalMs));
}
