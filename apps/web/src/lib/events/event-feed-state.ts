/** While events arrive, polling only covers missed ones. */
export const eventFeedState = { isConnected: false };

const connectedFactor = 6;

/** Poll interval of data that events keep up to date. */
export function slowPollWhileConnected(intervalMs: number): number {
  return eventFeedState.isConnected ? intervalMs * connectedFactor : intervalMs;
}
