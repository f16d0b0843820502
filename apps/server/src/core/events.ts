import type { PublishRefusal, Room } from '@weir/contract';
import type { PublisherEnd } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import type { WorkChange } from '@weir/process';

/** A publisher that was accepted. `param` is the query of its address with everything secret hidden. */
export interface PublishedStream {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly param: string;
  readonly serverId: string;
  readonly clientId: string;
  readonly publishedAt: string;
  /** rtmp, srt or rtc, and where it comes from; absent where the media server does not tell. */
  readonly protocol?: string;
  readonly address?: string;
  /** Name of the stream key that it showed; absent with the publish secret or a room's. */
  readonly key?: string;
}

/** Identity of one publication: a client that returns is a new one. */
export function publicationKey({ clientId, vhost, app, stream }: PublishedStream): string {
  return [clientId, vhost, app, stream].join(' ');
}

/** Why it left, where that is known. */
interface EndedPublish extends PublishedStream {
  readonly why?: PublisherEnd;
}

/** A publisher that was turned away. Holds nothing of the secret, neither the right one nor what was shown. */
export interface RefusedPublish {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly protocol: string;
  readonly address: string;
  readonly reason: PublishRefusal;
  /** Name of the stream key that it showed, and when that ended; absent or empty without. */
  readonly key?: string;
  readonly keyEndedAt?: string;
}

/** A recording that began or ended. `uuid` names it in addresses and callbacks. */
interface BegunRecording {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly uuid: string;
  /** Lower quality of the stream; absent for the stream itself. */
  readonly quality?: string | undefined;
}

export interface EndedRecording extends BegunRecording {
  /** False while its file is still being made. */
  readonly isDone: boolean;
  /** Path of the local file. */
  readonly path: string;
}

interface SpokenPlace {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Id of the publisher: its clock has nothing to do with another's. */
  readonly epoch: string;
  /** On the clock of the stream, which its segments have too. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Recognised speech, a moment after it was said. */
interface SpokenCue extends SpokenPlace {
  readonly text: string;
  readonly language: string;
  /** True for late recognition: viewers near the live edge are past it. */
  readonly isMissed?: boolean;
}

/** The same in another language, some time later. */
interface TranslatedCue extends SpokenCue {
  /** Original of the translation; the text may have been edited since. */
  readonly source: string;
}

/** The text of one segment is final: what a person cleared or edited is in it. */
interface SettledText extends SpokenPlace {
  readonly segmentId: string;
  /** When the segment begins, on everybody's clock. */
  readonly dateMs: number;
  /** May reach beyond the segment; then the next one has them too. */
  readonly cues: readonly { readonly startMs: number; readonly endMs: number; readonly text: string }[];
  readonly language: string;
}

/** Start of a playback. */
interface PlayedStream {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly protocol: string;
}

/** A room that was saved, or undefined when it was removed. */
interface ChangedRoom {
  readonly uuid: string;
  readonly room: Room | undefined;
}

/** A publisher of one input of a program left; the program goes on. */
interface EndedInput {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly input: string;
  /** Name of the stream key that it showed; empty without one. */
  readonly key: string;
}

/** A program took another input, by the ids that its owner knows; empty for nothing. */
interface SwitchedProgram {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly gapMs: number;
}

interface EventMap {
  /** Each is followed by exactly one `stream:ended` of the same client while this process lives. */
  'stream:published': PublishedStream;
  'stream:ended': EndedPublish;
  'stream:played': PlayedStream;
  'publish:refused': RefusedPublish;
  'record:began': BegunRecording;
  'record:ended': EndedRecording;
  'cue:spoken': SpokenCue;
  'cue:translated': TranslatedCue;
  'transcript:settled': SettledText;
  /** A live stream began or ended, and `LiveInputs` is up to date. */
  'inputs:changed': null;
  /** A process of the supervisor began, failed or ended. */
  'process:changed': WorkChange;
  /** A timeline entry was written. */
  'timeline:changed': null;
  /** A write to a collection of the store was confirmed. */
  'store:written': { readonly collection: string };
  'room:changed': ChangedRoom;
  'input:ended': EndedInput;
  'program:switched': SwitchedProgram;
}

export type EventName = keyof EventMap;
type Listener<Name extends EventName> = (event: EventMap[Name]) => void | Promise<void>;
type Listeners = { [Name in EventName]: Listener<Name>[] };

/** Event bus between features. Emitters do not wait, and a failing listener does not affect others. */
export class Events {
  readonly #log: Log;
  readonly #listeners: Listeners = {
    'stream:published': [],
    'stream:ended': [],
    'stream:played': [],
    'publish:refused': [],
    'record:began': [],
    'record:ended': [],
    'cue:spoken': [],
    'cue:translated': [],
    'transcript:settled': [],
    'inputs:changed': [],
    'process:changed': [],
    'timeline:changed': [],
    'store:written': [],
    'room:changed': [],
    'input:ended': [],
    'program:switched': [],
  };

  constructor(log: Log) {
    this.#log = log;
  }

  on<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    this.#listeners[name].push(listener);
  }

  emit<Name extends EventName>(name: Name, event: EventMap[Name]): void {
    for (const listener of this.#listeners[name]) {
      Promise.resolve(event)
        .then(listener)
        .catch((error: unknown) => this.#log.error({ event: name, err: error }, 'listener failed'));
    }
  }
}
