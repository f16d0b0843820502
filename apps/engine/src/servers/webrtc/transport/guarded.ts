/**
 * The one way into our code from the native WebRTC library. An exception that leaves a callback of that library ends the
 * process without asking anybody, so nothing passes here.
 */
export function guarded<Args extends readonly unknown[]>(
  act: (...args: Args) => void,
  onFault: (error: unknown) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      act(...args);
    } catch (error) {
      try {
        onFault(error);
      } catch {
        // The fault handler failed too; the process continues.
      }
    }
  };
}
