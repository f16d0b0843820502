import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type FinishedSegment, isRewindStreamFolder, type RewindRules, rewindFolder } from '@weir/engine-api';
import { type Log, rewindStreamFolder } from '@weir/plane';
import { placeText, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { Mutex } from '../../core/mutex.ts';
import type { SegmentConsumer } from '../../segments/segment-feed.ts';
import { RewindWindow } from './rewind-window.ts';

interface Context {
  readonly filesDir: string;
  readonly rules: () => Promise<RewindRules>;
  readonly log: Log;
  readonly clock: Clock;
}

/** A window as the console shows it. */
interface RewindWindowFacts extends WirePlace {
  readonly startMs: number;
  readonly endMs: number;
  readonly bytes: number;
}

/** Players still load what has just left their playlist. */
const graceMs = 2 * 60_000;
const syncEveryMs = 5000;
const fullCodes = ['ENOSPC', 'EDQUOT'];
/** An alert outlasts the last shortening by this, so that it does not flicker. */
const shortenedMs = 10 * 60_000;

/** Keeps the windows of all streams: adds segments, removes what is too old, and makes room when the disk is full. */
export class RewindKeeper implements SegmentConsumer {
  readonly name = 'rewind';
  readonly most = 500;
  readonly #context: Context;
  readonly #windows = new Map<string, RewindWindow>();
  readonly #turns = new Mutex();
  readonly #resumed = Promise.withResolvers<void>();
  #isPaused = false;
  #shortenedSinceMs: number | undefined;
  #shortenedAtMs = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  async isOn(): Promise<boolean> {
    return (await this.#context.rules()).isOn;
  }

  async take(segment: FinishedSegment): Promise<void> {
    const windowMs = (await this.#context.rules()).windowMs(segment);
    if (windowMs === 0) return;
    await this.#resumed.promise;
    if (this.#isPaused) return;
    const key = placeText(segment);
    await this.#turns.take(async () => {
      const { vhost, app, stream } = segment;
      const place = { vhost, app, stream };
      const window = this.#windows.get(key) ?? RewindWindow.empty(this.#pathOf(place), place);
      const how = { windowMs, nowMs: this.#context.clock.dateMs() };
      await window.keep(segment, how).catch(async (error: NodeJS.ErrnoException) => {
        if (!fullCodes.includes(error.code ?? '') || (await this.#dropOldest()) === 0) throw error;
        await window.keep(segment, how);
      });
      this.#windows.set(key, window);
    });
  }

  /** A later segment is a discontinuity by its number; nothing else is to be done. */
  miss(): void {}

  facts(): RewindWindowFacts[] {
    return [...this.#windows.values()].map(({ place, startMs, endMs, bytes }) => {
      const { vhost, app, stream } = place;
      return { vhost, app, stream, startMs, endMs, bytes };
    });
  }

  rewindable(place: WirePlace): { readonly startMs: number; readonly endMs: number } | undefined {
    const window = this.#windows.get(placeText(place));
    return window && window.startMs > 0 ? window : undefined;
  }

  /** True while windows use disk space. */
  get isBusy(): boolean {
    return this.#windows.size > 0;
  }

  /** Date since which windows are shorter than they should be; undefined while none is. */
  get shortenedSinceMs(): number | undefined {
    const isOver = this.#context.clock.elapsedMs() - this.#shortenedAtMs >= shortenedMs;
    return isOver && !this.#isPaused ? undefined : this.#shortenedSinceMs;
  }

  /** Frees this much by shortening the longest windows; while that is not enough, nothing is kept. 0 when there is room. */
  async makeRoom(missingBytes: number): Promise<void> {
    await this.#turns.take(async () => {
      let missing = missingBytes;
      while (missing > 0) {
        const freed = await this.#dropOldest();
        if (freed === 0) break;
        missing -= freed;
      }
      const isPaused = missing > 0;
      if (isPaused) this.#noteShortened();
      if (isPaused !== this.#isPaused) {
        this.#context.log.warn({ isPaused }, 'keeping segments for rewinding was paused or resumed: disk space');
      }
      this.#isPaused = isPaused;
    });
  }

  /** Applies the rules to what there is. */
  async review(): Promise<void> {
    const rules = await this.#context.rules();
    const nowMs = this.#context.clock.dateMs();
    await this.#turns.take(async () => {
      for (const [key, window] of this.#windows) {
        const windowMs = rules.windowMs(window.place);
        if (nowMs - window.endMs > window.silentMs) await window.finish(nowMs);
        if (windowMs === 0) await window.remove();
        else if (!(await window.prune(nowMs - windowMs - graceMs))) continue;
        this.#windows.delete(key);
      }
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    const warn = (error: unknown) => log.warn({ err: error }, 'windows for rewinding could not be checked');
    await this.#resume().catch(warn);
    this.#resumed.resolve();
    while (!signal.aborted) {
      await this.review().catch(warn);
      await this.#sync().catch(warn);
      await clock.pause(syncEveryMs, signal).catch(() => undefined);
    }
    await this.#sync().catch(warn);
  }

  async #resume(): Promise<void> {
    const home = join(this.#context.filesDir, rewindFolder);
    for (const name of await readdir(home).catch(() => [])) {
      if (!isRewindStreamFolder(name)) continue;
      const window = await RewindWindow.resume(join(home, name));
      if (window) this.#windows.set(placeText(window.place), window);
    }
  }

  async #sync(): Promise<void> {
    for (const window of this.#windows.values()) await window.sync();
  }

  /** Removes the oldest chunk of all. Returns its size; 0 when nothing can be removed. */
  async #dropOldest(): Promise<number> {
    const oldest = [...this.#windows.values()].sort((a, b) => a.startMs - b.startMs);
    for (const window of oldest) {
      const bytes = await window.dropOldest();
      if (bytes === 0) continue;
      this.#noteShortened();
      this.#context.log.warn({ ...window.place, bytes }, 'the window of a stream was shortened: not enough disk space');
      return bytes;
    }
    return 0;
  }

  #noteShortened(): void {
    const { clock } = this.#context;
    if (this.shortenedSinceMs === undefined) this.#shortenedSinceMs = clock.dateMs();
    this.#shortenedAtMs = clock.elapsedMs();
  }

  #pathOf(place: WirePlace): string {
    return join(this.#context.filesDir, rewindFolder, rewindStreamFolder(place));
  }
}
