import { type StreamPlace, streamKey } from '@weir/streams';
import { Clients } from './clients/clients.ts';
import { Stream } from './stream.ts';

/** A name costs memory from the first to the last who holds it; this many at once are more than one machine serves. */
const mostStreams = 20_000;

interface Options {
  /** Time that a stream waits for its publisher to return. */
  readonly returnMs: number;
  readonly onOpened?: (stream: Stream) => void;
  /** Called when a packager of a stream failed. */
  readonly onFault?: (stream: Stream, error: unknown) => void;
}

/** State of a name: free, waiting for its publisher, live, or live by a program that others publish to. */
export type NameState = 'gone' | 'idle' | 'live' | 'shared';
type OnName = (key: string, state: NameState) => void;

/** All streams by name. */
export class Hub {
  readonly clients = new Clients();
  readonly #options: Options;
  readonly #streams = new Map<string, Stream>();
  readonly #expected = new Map<string, Set<(stream: Stream) => void>>();
  readonly #watchers = new Set<OnName>();

  constructor(options: Options) {
    this.#options = options;
  }

  find(place: StreamPlace): Stream | undefined {
    return this.#streams.get(streamKey(place));
  }

  /** The stream of this name, made if need be; undefined when there are too many. */
  open(place: StreamPlace): Stream | undefined {
    const key = streamKey(place);
    const existing = this.#streams.get(key);
    if (existing) return existing;
    if (this.#streams.size >= mostStreams) return undefined;
    const { returnMs, onFault } = this.#options;
    const stream: Stream = new Stream({
      key,
      place,
      returnMs,
      ...(onFault && { onFault }),
      onOver: () => {
        this.#streams.delete(key);
        this.#notify(key, 'gone');
      },
      onPublisher: () => this.#notify(key, stateOf(stream)),
    });
    this.#streams.set(key, stream);
    this.#notify(key, 'idle');
    this.#options.onOpened?.(stream);
    const waiting = this.#expected.get(key) ?? [];
    this.#expected.delete(key);
    for (const then of waiting) then(stream);
    return stream;
  }

  /** Calls back once a stream of this name exists. Returns a function that cancels the callback. */
  expect(place: StreamPlace, then: (stream: Stream) => void): () => void {
    const key = streamKey(place);
    const waiting = this.#expected.get(key) ?? new Set();
    this.#expected.set(key, waiting.add(then));
    return () => {
      waiting.delete(then);
      if (waiting.size === 0 && this.#expected.get(key) === waiting) this.#expected.delete(key);
    };
  }

  /** Calls back for each name there is, and for each change from now on. Returns how to be called no more. */
  watch(onName: OnName): () => void {
    for (const [key, stream] of this.#streams) onName(key, stateOf(stream));
    this.#watchers.add(onName);
    return () => this.#watchers.delete(onName);
  }

  all(): IterableIterator<Stream> {
    return this.#streams.values();
  }

  get size(): number {
    return this.#streams.size;
  }

  close(): void {
    for (const stream of [...this.#streams.values()]) stream.close();
  }

  #notify(key: string, state: NameState): void {
    for (const onName of this.#watchers) onName(key, state);
  }
}

function stateOf({ publisher }: Stream): NameState {
  if (!publisher) return 'idle';
  return publisher.info.kind === 'program-publish' ? 'shared' : 'live';
}
