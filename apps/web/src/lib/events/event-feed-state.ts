/** Whether the server tells what changes. While it does, asking is only for the case that something was overheard. */
export const eventFeedState = { isHeard: false };

const heardFactor = 6;

/** How long to wait before asking for something that the server would tell of. */
export function slowPollWhileConnected(intervalMs: number): number {
  return eventFeedState.isHeard ? intervalMs * heardFactor : intervalMs;
}
