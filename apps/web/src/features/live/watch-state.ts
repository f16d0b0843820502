import type { ActiveStream, EndedStream, PublishAttempt } from '@weir/contract';
import { defaultVhost } from '@weir/streams';

interface Seen {
  /** Undefined until the server has answered. */
  readonly streams: readonly ActiveStream[] | undefined;
  readonly ended?: readonly EndedStream[] | undefined;
  readonly attempts: readonly PublishAttempt[];
  readonly app: string;
  readonly name: string;
}

export type WatchState =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'waiting';
      /** Refused attempt: for this stream if there is one, else for any. */
      readonly refused: PublishAttempt | undefined;
      /** Live stream with another name, perhaps the expected one. */
      readonly elsewhere: ActiveStream | undefined;
      /** Previous broadcast of this stream. */
      readonly ended: EndedStream | undefined;
    }
  | {
      readonly kind: 'live';
      readonly stream: ActiveStream;
      /** Attempt of another publisher to use the same name. */
      readonly refused: PublishAttempt | undefined;
    };

/** State to show to a user who waits for a stream. */
export function watchState({ streams, ended = [], attempts, app, name }: Seen): WatchState {
  if (!streams) return { kind: 'unknown' };
  const isOurs = (one: { vhost: string; app: string; stream: string }) =>
    one.vhost === defaultVhost && one.app === app && one.stream === name;
  const stream = streams.find(isOurs);
  if (stream) {
    return { kind: 'live', stream, refused: attempts.find((one) => isOurs(one) && one.reason === 'in-use') };
  }
  const before = ended.find(isOurs);
  // A name in use is no obstacle once it is free, and refusals before the last successful broadcast are outdated.
  const open = attempts.filter(({ reason, at }) => reason !== 'in-use' && (!before || at > before.endedAt));
  return {
    kind: 'waiting',
    refused: open.find(isOurs) ?? open[0],
    elsewhere: streams.find((one) => one.vhost === defaultVhost && one.app === app),
    ended: before,
  };
}
