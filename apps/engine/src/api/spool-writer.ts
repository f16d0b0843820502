import { copyFile, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { besideEntry, entryName, type FinishedSegment, parseEntryName, type SegmentHookBody } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { isSegmentFormat, segmentFormatNames } from '@weir/streams';

/** Age at which unclaimed segments are removed: a control plane that is down for this long has bigger problems. */
const mostAgeMs = 15 * 60_000;
const mostBytes = 4 * 1024 ** 3;
const sweepMs = 60_000;

type KeptSegment = Pick<FinishedSegment, 'id' | 'file' | 'format' | 'init'>;

interface Limits {
  readonly ageMs: number;
  readonly bytes: number;
}

/**
 * Segments for the control plane. An entry is a hard link to the segment's file, which outlives the HLS window, with a file of facts; the
 * consumer removes both. Names sort in the order of creation.
 */
export class SpoolWriter {
  readonly #directory: string;
  readonly #log: Log;
  readonly #limits: Limits;
  #count = 0;
  #sweptAtMs = 0;
  #isFailing = false;

  constructor(directory: string, log: Log, limits: Limits = { ageMs: mostAgeMs, bytes: mostBytes }) {
    this.#directory = directory;
    this.#log = log;
    this.#limits = limits;
  }

  /** The path to tell of: the entry's, or the file itself where it cannot be kept. One at a time. Never throws. */
  async keep(segment: KeptSegment, facts: SegmentHookBody): Promise<string> {
    try {
      if (Date.now() - this.#sweptAtMs >= sweepMs) await this.sweep();
      const entry = await this.#enter(segment, facts);
      if (this.#isFailing) this.#log.info('segments are kept for the control server again');
      this.#isFailing = false;
      return entry;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn({ err: error }, 'segments could not be kept for the control server');
      this.#isFailing = true;
      return segment.file;
    }
  }

  async #enter({ id, file, format, init }: KeptSegment, facts: SegmentHookBody): Promise<string> {
    const name = { keptAtMs: Date.now(), count: ++this.#count, id };
    const entry = join(this.#directory, entryName(name, format));
    const json = besideEntry(entry, 'facts');
    const initEntry = besideEntry(entry, 'init');
    const text = JSON.stringify({ ...facts, file: entry, ...(init && { init_file: initEntry }) });
    await writeFile(json, text).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await writeFile(json, text);
    });
    try {
      // The media last: where it is, the rest is.
      if (init) await linkOrCopy(init.file, initEntry);
      await linkOrCopy(file, entry);
    } catch (error) {
      for (const path of [json, initEntry]) await rm(path, { force: true });
      throw error;
    }
    return entry;
  }

  /** Removes expired entries, the oldest ones above the limit, and files without media. No entry is being written now. */
  async sweep(): Promise<void> {
    this.#sweptAtMs = Date.now();
    const names = await readdir(this.#directory).catch(() => []);
    const present = new Set(names);
    let bytes = 0;
    let removed = 0;
    for (const name of names.sort().reverse()) {
      const entry = parseEntryName(name);
      const isBeside = entry !== undefined && !isSegmentFormat(entry.file);
      const isOrphan = isBeside && !segmentFormatNames.some((format) => present.has(besideEntry(name, format)));
      const isOld = entry === undefined || isOrphan || entry.keptAtMs < this.#sweptAtMs - this.#limits.ageMs;
      const path = join(this.#directory, name);
      bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
      if (!isOld && bytes <= this.#limits.bytes) continue;
      await rm(path, { force: true });
      if (!isOrphan) removed++;
    }
    if (removed > 0)
      this.#log.warn({ files: removed }, 'segments were removed because the control server did not fetch them');
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOSPC') throw error;
    // Falls back to copying across file systems.
    return copyWhole(from, to);
  });
}

/** Created atomically, because readers take every file of the directory. */
async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = `${to}.tmp`;
  try {
    await copyFile(from, temporary);
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
