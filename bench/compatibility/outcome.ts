/** Result of a client over some seconds, counted by itself or at its other end. */
export interface Outcome {
  readonly frames: number;
  /** True if audio was decoded as well. */
  readonly hasSound: boolean;
  /** Why there is nothing, in the client's words. */
  readonly trouble?: string;
}

export const watchSeconds = 8;
const framesPerSecond = 25;

/** A word for a cell of the table. Half of the frames may be missing: clients start at their own pace. */
export function verdict({ frames, hasSound }: Outcome): string {
  if (frames < (watchSeconds * framesPerSecond) / 10) return hasSound ? 'audio only' : 'no';
  const isWhole = frames >= (watchSeconds * framesPerSecond) / 2;
  return `${isWhole ? 'yes' : 'few frames'}${hasSound ? '' : ', no audio'}`;
}
