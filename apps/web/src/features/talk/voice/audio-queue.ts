import type { AudioSource, PlaybackResult, PlaybackView } from './voice-types.ts';

/** Decodes and plays clips. */
export interface AudioSink<Clip> {
  decode(bytes: ArrayBuffer): Promise<Clip>;
  /** Plays right after the current clip. Resolves when it ended or was stopped. */
  play(clip: Clip, signal: AbortSignal): Promise<void>;
  /** The browser requires a user gesture. */
  readonly isBlocked: boolean;
}

interface Item<Clip> {
  readonly asid: string;
  readonly abort: AbortController;
  readonly resolve: (played: PlaybackResult) => void;
  /** Decoded clip; undefined if loading failed. */
  ready?: Promise<Clip | undefined>;
  /** Resolves when the clip ended or was stopped. */
  end?: Promise<void>;
}

/** Number of clips loaded ahead. More would take connections that uploads need. */
const ahead = 2;
/** Limit of the backlog; nobody listens to more. */
const mostWaiting = 100;
/** The server waits for the voice; this limits how long the next sentence is delayed. */
const loadMs = 30_000;

/** Plays audio in order and without gaps. Skips clips that fail. */
export class AudioQueue<Clip> {
  readonly #output: AudioSink<Clip>;
  readonly #cache: AudioCache;
  readonly #listeners = new Set<() => void>();
  #waiting: Item<Clip>[] = [];
  /** Clips handed to the output: the first is playing, the next is scheduled. */
  #heard: Item<Clip>[] = [];
  /** Queued answers and stopped ones; further pieces of stopped answers are skipped. */
  readonly #answers = new Set<string>();
  readonly #stopped = new Set<string>();
  #stoppedLast: readonly string[] = [];
  #isRunning = false;
  #isMuted = false;
  #view: PlaybackView = { state: 'idle', asid: '', isMuted: false };

  constructor(source: AudioSource, output: AudioSink<Clip>) {
    this.#cache = new AudioCache(source);
    this.#output = output;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): PlaybackView => this.#view;

  readonly add = (asid: string, answer?: string): Promise<PlaybackResult> => {
    this.#cache.addRemote(asid);
    if (answer !== undefined) {
      if (this.#stopped.has(answer)) return Promise.resolve('stopped');
      this.#answers.add(answer);
    }
    if (this.#isMuted) return Promise.resolve('silent');
    return this.#append(asid);
  };

  /** Plays even while muted, because the user asked for it. */
  readonly replay = (asids: readonly string[]): Promise<PlaybackResult[]> => {
    this.#clear();
    return Promise.all(asids.map((asid) => this.#append(asid)));
  };

  readonly stop = (): void => {
    this.#stoppedLast = [...this.#answers];
    for (const answer of this.#stoppedLast) this.#stopped.add(answer);
    this.#answers.clear();
    this.#clear();
  };

  /** Reverts the last stop, after a false alarm. */
  readonly allowStopped = (): void => {
    for (const answer of this.#stoppedLast) {
      this.#stopped.delete(answer);
      this.#answers.add(answer);
    }
    this.#stoppedLast = [];
  };

  readonly setMuted = (isMuted: boolean): void => {
    this.#isMuted = isMuted;
    if (isMuted) this.#clear();
    this.updateView();
  };

  close(): void {
    this.stop();
    this.#cache.close();
  }

  /** Publishes the playback state if it changed. */
  readonly updateView = (): void => {
    const [item] = [...this.#heard, ...this.#waiting];
    const heard = this.#output.isBlocked ? 'blocked' : 'playing';
    const state = item === undefined ? 'idle' : this.#heard.length > 0 ? heard : 'loading';
    const view: PlaybackView = { state, asid: item?.asid ?? '', isMuted: this.#isMuted };
    const { asid, isMuted } = this.#view;
    if (view.state === this.#view.state && view.asid === asid && view.isMuted === isMuted) return;
    this.#view = view;
    for (const listener of this.#listeners) listener();
  };

  #clear(): void {
    const all = [...this.#heard, ...this.#waiting];
    [this.#heard, this.#waiting] = [[], []];
    for (const item of all) {
      item.abort.abort();
      item.resolve('stopped');
    }
    this.updateView();
  }

  #append(asid: string): Promise<PlaybackResult> {
    const { promise, resolve } = Promise.withResolvers<PlaybackResult>();
    this.#waiting.push({ asid, abort: new AbortController(), resolve: resolve });
    if (this.#waiting.length > mostWaiting) {
      const oldest = this.#waiting.shift();
      oldest?.abort.abort();
      oldest?.resolve('stopped');
    }
    this.#fetchAhead();
    this.updateView();
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let item = this.#waiting[0]; item; item = this.#waiting[0]) {
      const clip = await item.ready;
      if (this.#waiting[0] !== item) continue;
      if (clip === undefined) {
        this.#waiting.shift();
        item.resolve('failed');
        this.#fetchAhead();
        this.updateView();
        continue;
      }
      while (this.#heard.length > 1) await this.#heard[0]?.end;
      if (this.#waiting[0] !== item) continue;
      this.#waiting.shift();
      this.#heard.push(item);
      item.end = this.#play(item, clip);
      this.#fetchAhead();
      this.updateView();
    }
    this.#isRunning = false;
  }

  async #play(item: Item<Clip>, clip: Clip): Promise<void> {
    await this.#output.play(clip, item.abort.signal);
    this.#heard = this.#heard.filter((other) => other !== item);
    item.resolve('played');
    this.updateView();
  }

  #fetchAhead(): void {
    for (const item of this.#waiting.slice(0, ahead)) item.ready ??= this.#load(item);
  }

  async #load({ asid, abort }: Item<Clip>): Promise<Clip | undefined> {
    const late = setTimeout(() => abort.abort(), loadMs);
    try {
      return await this.#output.decode(await this.#cache.get(asid, abort.signal));
    } catch {
      return undefined;
    } finally {
      clearTimeout(late);
    }
  }
}

/** About half an hour of encoded speech. */
const mostBytes = 16 * 1024 * 1024;
const mostKnown = 500;

/** Audio of messages for replay: cached once loaded, on the server until then. */
class AudioCache {
  readonly #source: AudioSource;
  readonly #bytes = new Map<string, ArrayBuffer>();
  readonly #remote = new Set<string>();
  #total = 0;

  constructor(source: AudioSource) {
    this.#source = source;
  }

  /** Registers audio that the server holds for this page. */
  addRemote(asid: string): void {
    if (!this.#bytes.has(asid)) this.#remote.add(asid);
    for (const oldest of this.#remote) {
      if (this.#remote.size <= mostKnown) return;
      this.#release(oldest);
    }
  }

  /** Returns a copy, because decoding detaches the buffer. */
  async get(asid: string, signal: AbortSignal): Promise<ArrayBuffer> {
    const kept = this.#bytes.get(asid);
    if (kept) return kept.slice(0);
    const bytes = await this.#source.load(asid, signal);
    if (!this.#bytes.has(asid)) this.#store(asid, bytes);
    return bytes.slice(0);
  }

  close(): void {
    for (const asid of this.#remote) this.#release(asid);
    this.#bytes.clear();
    this.#total = 0;
  }

  #store(asid: string, bytes: ArrayBuffer): void {
    this.#bytes.set(asid, bytes);
    this.#total += bytes.byteLength;
    this.#release(asid);
    for (const [oldest, { byteLength }] of this.#bytes) {
      if (this.#total <= mostBytes || oldest === asid) return;
      this.#bytes.delete(oldest);
      this.#total -= byteLength;
    }
  }

  #release(asid: string): void {
    this.#remote.delete(asid);
    this.#source.drop(asid);
  }
}
