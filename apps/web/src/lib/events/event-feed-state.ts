/** Whether the server tells what changes. While it does, asking is only for the case that something was overheard. */
export const eventFeedState = { isConnected: false };

const connectedFactor = 6;

/** How long to wait before asking for something that the server would tell of. */
export function slowPollWhileConnected(intervalMs: number): number {
  return eventFeedState.isConnected ? intervalMs * connectedFactor : intervalMs;
}
