import { rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Log } from '@weir/plane';
import { pictureLimit } from '@weir/process/picture-limit';
import { wrappedMs } from '../../../pipelines/segment-start.ts';
import { usualFormat } from '../../../segments/segment-feed.ts';
import type { Cue } from '../../../speech/cue.ts';
import type { SegmentFiles } from '../pipeline/segment-files.ts';
import { type SegmentRow, shownCues } from '../pipeline/segment-row.ts';

/** ffmpeg's default layout of plain subtitles, so that styles look familiar. */
const head = `[Script Info]
ScriptType: v4.00+
PlayResX: 384
PlayResY: 288
ScaledBorderAndShadow: yes
WrapStyle: 0

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

/** Cues for libass, on the clock that the packets of their segment have. */
export function formatAss(cues: readonly Cue[]): string {
  const lines = cues.map(
    ({ startMs, endMs, text }) => `Dialogue: 0,${time(startMs)},${time(endMs)},Default,,0,0,0,,${plain(text)}\n`,
  );
  return head + lines.join('');
}

function time(ms: number): string {
  const hundredths = Math.max(0, Math.round(ms / 10));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.floor(hundredths / 100);
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

/** Escapes braces and backslashes, which are commands to libass. A word joiner after a backslash makes it a letter. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}')
    .split(/\r?\n|\r/)
    .join('\\N');
}

interface Made {
  readonly bytes: number;
  readonly isBurnt: boolean;
  /** The text is missing in the video. */
  readonly hasPassed: boolean;
}

/** Style and encoder of burnt-in text; undefined for none. */
type Look = { readonly style: string; readonly codec: readonly string[] } | undefined;

interface Context {
  readonly files: SegmentFiles;
  readonly look: () => Look;
  readonly log: Log;
  /** For one try at so much video; far less than viewers are behind. */
  readonly limitMs?: (durationMs: number) => number;
}

interface MakeOptions {
  /** True if other segments wait and there is no time to encode. */
  readonly keepUp: boolean;
  readonly signal: AbortSignal;
}

const tries = 3;
/** Lower priority than viewers and publishers. */
const niceness = 10;
const enoughMs = (durationMs: number) => 5000 + 3 * durationMs;

/** Makes the output of a segment. Encodes again only if there is text to burn in. One encoder at a time. */
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
      await writeFile(subtitles, formatAss(cues), { mode: 0o600 });
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

interface Burn {
  readonly from: string;
  readonly subtitles: string;
  readonly to: string;
  /** Output of `parseForceStyle`. */
  readonly style: string;
  /** Output of `parseCodecParams`. */
  readonly codec: readonly string[];
}

/**
 * Burns text into a segment. All times stay as they are, to the tick: sound is copied, every picture keeps its own time, and the
 * muxer adds no delay of its own. So the output may stand for the segment in any playlist.
 */
export function burnArgs({ from, subtitles, to, style, codec }: Burn): string[] {
  const filter = `subtitles=filename=${escaped(subtitles)}:force_style=${escaped(style)}`;
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'warning',
    '-copyts',
    '-protocol_whitelist',
    'file',
    ...pictureLimit,
    '-f',
    usualFormat.demuxer,
    '-i',
    `file:${from}`,
    '-map',
    '0:v:0',
    '-map',
    '0:a?',
    '-vf',
    filter,
    ...codec,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:90000',
    '-c:a',
    'copy',
    '-muxdelay',
    '0',
    '-muxpreload',
    '0',
    '-avoid_negative_ts',
    'disabled',
    '-f',
    usualFormat.muxer,
    '-y',
    `file:${to}`,
  ];
}

/** Once for the value of an option, once for the filter among others: a path may hold anything. */
function escaped(value: string): string {
  const once = value.replace(/[\\':]/g, '\\$&');
  return once.replace(/[\\'[\],;]/g, '\\$&');
}
