import type { ActiveStream, EndedStream, PublishAttempt } from '@weir/contract';
import { defaultVhost } from '@weir/dialect';

interface Seen {
  /** Undefined while the server has not said. */
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
      /** Somebody tried and was turned away: for this stream first, else for any. */
      readonly refused: PublishAttempt | undefined;
      /** A stream that is live under another name: perhaps the one that is waited for. */
      readonly elsewhere: ActiveStream | undefined;
      /** When it was live before. */
      readonly ended: EndedStream | undefined;
    }
  | {
      readonly kind: 'live';
      readonly stream: ActiveStream;
      /** Somebody else wants the name that is in use. */
      readonly refused: PublishAttempt | undefined;
    };

/** What somebody who waits for a stream should see. */
export function watchState({ streams, ended = [], attempts, app, name }: Seen): WatchState {
  if (!streams) return { kind: 'unknown' };
  const isOurs = (one: { vhost: string; app: string; stream: string }) =>
    one.vhost === defaultVhost && one.app === app && one.stream === name;
  const stream = streams.find(isOurs);
  if (stream) {
    return { kind: 'live', stream, refused: attempts.find((one) => isOurs(one) && one.reason === 'in-use') };
  }
  const before = ended.find(isOurs);
  // That a name was in use says nothing once it is free, and what was before a stream that worked is no trouble any more.
  const open = attempts.filter(({ reason, at }) => reason !== 'in-use' && (!before || at > before.endedAt));
  return {
    kind: 'waiting',
    refused: open.find(isOurs) ?? open[0],
    elsewhere: streams.find((one) => one.vhost === defaultVhost && one.app === app),
    ended: before,
  };
}
