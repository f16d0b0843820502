import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import type { FinishedSegment } from '@weir/engine-api';
import {
  initExtension,
  initIdPattern,
  isSegmentFormat,
  type SegmentFormatName,
  segmentFormatNames,
  segmentFormats,
} from '@weir/streams';
import * as z from 'zod';

/** Segment of a recording, in recorded order. */
export interface LoggedSegment {
  readonly tsid: string;
  readonly format: SegmentFormatName;
  /** Id of its init section; empty for a format without one. */
  readonly init: string;
  readonly sequence: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** Does not continue the one before it. */
  readonly isDiscontinuity: boolean;
  readonly atMs: number;
}

const line = new RegExp(
  `^([0-9a-f-]{36}) (\\d{1,16}) (\\d{1,9}) (\\d{1,12}) ([01]) (\\d{1,16})(?: (${segmentFormatNames.join('|')}) (${initIdPattern}))?$`,
);

/** First line: identifies the recording, so that a lost row of the store can be restored. */
const LogHead = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  quality: z.string().optional(),
  startedAtMs: z.number(),
});
type LogHead = z.output<typeof LogHead>;

/** `<id> <number> <milliseconds> <bytes> <1: a seam before it> <when, in milliseconds>`, and for other formats than MPEG-TS `<format> <init>` */
function formatLine({ tsid, format, init, sequence, durationMs, bytes, isDiscontinuity, atMs }: LoggedSegment): string {
  const container = init === '' ? '' : ` ${format} ${init}`;
  return `${tsid} ${sequence} ${durationMs} ${bytes} ${isDiscontinuity ? 1 : 0} ${atMs}${container}\n`;
}

/** Lines up to the first that is not whole: a crash may have torn the last one. `goodBytes` is where they end. */
function parseLog(text: string): { segments: LoggedSegment[]; head: LogHead | undefined; goodBytes: number } {
  const segments: LoggedSegment[] = [];
  const head = readHead(text);
  let from = head ? text.indexOf('\n') + 1 : 0;
  for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
    const found = line.exec(text.slice(from, end));
    if (!found) break;
    const [, tsid = '', sequence, durationMs, bytes, seam, atMs, format, init = ''] = found;
    segments.push({
      tsid,
      format: isSegmentFormat(format) ? format : 'mpegts',
      init,
      sequence: Number(sequence),
      durationMs: Number(durationMs),
      bytes: Number(bytes),
      isDiscontinuity: seam === '1',
      atMs: Number(atMs),
    });
    from = end + 1;
  }
  return { segments, head, goodBytes: Buffer.byteLength(text.slice(0, from)) };
}

function readHead(text: string): LogHead | undefined {
  const end = text.indexOf('\n');
  if (!text.startsWith('# ') || end < 0) return undefined;
  try {
    return LogHead.parse(JSON.parse(text.slice(2, end)));
  } catch {
    return undefined;
  }
}

/** Append-only list of a recording's segments. */
export class SegmentLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<LoggedSegment[]> {
    return parseLog(await this.#text()).segments;
  }

  async head(): Promise<LogHead | undefined> {
    return parseLog(await this.#text()).head;
  }

  async begin(head: LogHead): Promise<void> {
    await writeFile(this.#file, `# ${JSON.stringify(head)}\n`, { flag: 'wx', mode: 0o600 });
  }

  /** Replaces the log by these lines atomically. `publish` names the temporary file. */
  async rewrite(
    segments: readonly LoggedSegment[],
    publish: (temporary: string, file: string) => Promise<void>,
  ): Promise<void> {
    const head = await this.head();
    const temporary = `${this.#file}.tmp`;
    const first = head ? `# ${JSON.stringify(head)}\n` : '';
    await writeFile(temporary, first + segments.map(formatLine).join(''), { mode: 0o600 });
    await publish(temporary, this.#file);
  }

  /** Called before the first `append` of a process: a line torn by a crash would spoil the next one. */
  async repair(): Promise<LoggedSegment[]> {
    const text = await this.#text();
    const { segments, goodBytes } = parseLog(text);
    if (goodBytes < Buffer.byteLength(text)) await truncate(this.#file, goodBytes);
    return segments;
  }

  /** A full disk may take half a line: that half is taken back, or the next line would be spoilt by it. */
  async append(segment: LoggedSegment): Promise<void> {
    const handle = await open(this.#file, 'a');
    try {
      const { size } = await handle.stat();
      await handle.appendFile(formatLine(segment)).catch(async (error: unknown) => {
        await handle.truncate(size);
        throw error;
      });
    } finally {
      await handle.close();
    }
  }

  async #text(): Promise<string> {
    return readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  }
}

/** Name of its file, wherever it is kept. */
export function segmentFileName({ tsid, format }: Pick<LoggedSegment, 'tsid' | 'format'>): string {
  return tsid + segmentFormats[format].extension;
}

export function initFileName(init: string): string {
  return `init-${init}${initExtension}`;
}

export interface Totals {
  readonly segments: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly discontinuities: number;
}

export function sumSegments(segments: readonly LoggedSegment[]): Totals {
  return segments.reduce(addTo, { segments: 0, durationMs: 0, bytes: 0, discontinuities: 0 });
}

export function addTo(totals: Totals, { durationMs, bytes, isDiscontinuity }: LoggedSegment): Totals {
  return {
    segments: totals.segments + 1,
    durationMs: totals.durationMs + durationMs,
    bytes: totals.bytes + bytes,
    discontinuities: totals.discontinuities + (isDiscontinuity ? 1 : 0),
  };
}

/** The engine knows its own seams; of another media server, another publisher is the sign. A gap is one in any case. */
export function isSeam(last: LoggedSegment, lastClientId: string, segment: FinishedSegment): boolean {
  if (segment.sequence !== last.sequence + 1) return true;
  return segment.isDiscontinuity ?? segment.clientId !== lastClientId;
}
