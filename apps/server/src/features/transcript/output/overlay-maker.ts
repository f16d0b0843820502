import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Log } from '@weir/plane';
import { wrappedMs } from '../../../pipelines/segment-start.ts';
import type { SegmentFiles } from '../pipeline/segment-files.ts';
import { type SegmentRow, shownCues } from '../pipeline/segment-row.ts';
import { burnArgs } from './burn-args.ts';
import { assOf } from './subtitle-file.ts';

interface Made {
  readonly bytes: number;
  readonly isBurnt: boolean;
  /** There was text, and it is not in the video. */
  readonly hasPassed: boolean;
}

/** What is burnt in, and how; undefined: nothing is. */
type Look = { readonly style: string; readonly codec: readonly string[] } | undefined;

interface Context {
  readonly files: SegmentFiles;
  readonly look: () => Look;
  readonly log: Log;
  /** For one try at so much video; far less than viewers are behind. */
  readonly limitMs?: (durationMs: number) => number;
}

interface MakeOptions {
  /** Others wait: no time for encoding. */
  readonly keepUp: boolean;
  readonly signal: AbortSignal;
}

const tries = 3;
/** Viewers and publishers go first. */
const niceness = 10;
const enoughMs = (durationMs: number) => 5000 + 3 * durationMs;

/** Makes the output of a segment: encoded anew only where there is text to burn in. One encoder at a time. */
export class OverlayMaker {
  readonly #context: Context;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.#context = context;
  }

  async make(row: SegmentRow, { keepUp, signal }: MakeOptions): Promise<Made> {
    const { files, look } = this.#context;
    const wanted = look();
    const hasText = wanted !== undefined && row.video !== '' && shownCues(row).length > 0;
    if (wanted && hasText && !keepUp) {
      for (let n = 1; n <= tries && !signal.aborted; n++) {
        const bytes = await this.#inTurn(() => this.#burn(row, wanted, signal));
        if (typeof bytes === 'number') return { bytes, isBurnt: true, hasPassed: false };
        // A machine that was too slow once has no time for a second try, and all that follows would wait for it.
        if (bytes === 'too slow') break;
      }
      signal.throwIfAborted();
    }
    return { bytes: await files.pass(row), isBurnt: false, hasPassed: hasText };
  }

  /** Bytes of it; undefined when it failed. */
  async #burn(row: SegmentRow, { style, codec }: NonNullable<Look>, signal: AbortSignal) {
    if (signal.aborted) return undefined;
    const { files, log, limitMs = enoughMs } = this.#context;
    const [subtitles, to] = [files.subtitles(row), files.overlay(row)];
    // On the clock of the packets, which starts over once a day.
    const shiftMs = wrappedMs(row.startMs ?? 0) - (row.startMs ?? 0);
    const cues = shownCues(row).map((cue) => ({
      ...cue,
      startMs: cue.startMs + shiftMs,
      endMs: cue.endMs + shiftMs,
    }));
    try {
      await writeFile(subtitles, assOf(cues), { mode: 0o600 });
      const args = burnArgs({ from: files.org(row), subtitles, to: `${to}.tmp`, style, codec });
      // Loaded by the first text that is burnt in: an idle server does without.
      const { runTool } = await import('@weir/process');
      const end = await runTool({ command: 'ffmpeg', args, niceness, withinMs: limitMs(row.durationMs), signal });
      if (signal.aborted) return undefined;
      if (end.cut) {
        log.warn({ segment: row.id }, 'burning text into a segment took too long');
        return 'too slow';
      }
      if (end.code !== 0) throw new Error(end.reason);
      await rename(`${to}.tmp`, to);
      return (await stat(to)).size;
    } catch (error) {
      log.warn({ err: error, segment: row.id }, 'text could not be burnt into a segment');
      return undefined;
    } finally {
      await rm(subtitles, { force: true });
      await rm(`${to}.tmp`, { force: true });
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
