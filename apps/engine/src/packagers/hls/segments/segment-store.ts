import { createHash } from 'node:crypto';
import type { InitFile } from '@weir/engine-api';
import { initExtension, initIdLength, type SegmentFormat } from '@weir/streams';
import type { Prepared } from '../../../http/prepared.ts';
import type { HlsRules } from '../hls-settings.ts';
import { preparedRoomyPiece } from '../prepared-pieces.ts';
import type { SegmentCache } from '../segment-cache.ts';
import { type Segment, SegmentWindow } from './segment-window.ts';
import type { SegmentWriter } from './segment-writer.ts';
import { initMark, type StreamPaths } from './stream-paths.ts';

export interface StoredSegment extends Segment {
  readonly id: string;
  /** Init section of its format. */
  readonly init?: Buffer;
  readonly file: string;
  readonly url: string;
}

export interface SegmentStoreOptions {
  readonly format: SegmentFormat;
  readonly paths: StreamPaths;
  readonly rules: () => HlsRules;
  readonly writer: SegmentWriter;
  /** Cache from which segments are served; undefined for a variant that cannot be requested. */
  readonly hot: SegmentCache | undefined;
  /** The segment's file is on disk, and that of its init section. */
  readonly onFile: (segment: StoredSegment, init: InitFile | undefined) => void;
}

const maxHotBytes = 64 * 1024 * 1024;
/** On the disk. A minute of 60 Mbit/s. */
const maxWindowBytes = 450 * 1024 * 1024;
/** Segments that left the playlist and still have their files: a slow player read it a while ago. */
const graceSegments = 4;

/** Finished segments of one stream: in the window, in memory while they are, on disk a little longer. */
export class SegmentStore {
  readonly window = new SegmentWindow<StoredSegment>();
  readonly #options: SegmentStoreOptions;
  readonly #hot: StoredSegment[] = [];
  #departed: StoredSegment[] = [];
  #hotBytes = 0;
  /** Init sections by id, each with the number of the newest segment that needs it. */
  readonly #inits = new Map<string, { readonly file: string; neededBy: number; isWritten: boolean }>();

  constructor(options: SegmentStoreOptions) {
    this.#options = options;
  }

  /** Includes segments that left the playlist, while players may request them. */
  find(sequence: number): StoredSegment | undefined {
    const isIt = (segment: StoredSegment) => segment.sequence === sequence;
    return this.window.segments.find(isIt) ?? this.#departed.find(isIt);
  }

  /** Bitrates in bit/s: of the fullest segment in the playlist, and of all together; 0 while there is none. */
  get rates(): { readonly peak: number; readonly average: number } {
    let [peak, bytes, ms] = [0, 0, 0];
    for (const { size, durationMs, isGap } of this.window.segments) {
      if (isGap) continue;
      peak = Math.max(peak, (8000 * size) / durationMs);
      [bytes, ms] = [bytes + size, ms + durationMs];
    }
    return { peak, average: ms > 0 ? (8000 * bytes) / ms : 0 };
  }

  /** `roomy`: the bytes of the segment, with room for the head of an answer before them; undefined for a gap. */
  add(segment: StoredSegment, roomy: Buffer | undefined, targetMs: number): void {
    const { writer, rules } = this.#options;
    // At least three target durations stay (RFC 8216, 6.2.2), also when the owner made the window shorter.
    const windowMs = Math.max(rules().windowMs, 3 * targetMs);
    if (roomy) this.#keep(segment, roomy);
    for (const old of this.window.add(segment, { windowMs, maxBytes: maxWindowBytes })) {
      this.#coolDown(old);
      this.#departed.push(old);
    }
    for (const old of this.#departed.splice(0, Math.max(0, this.#departed.length - graceSegments))) {
      writer.remove(old.file);
      this.#removeInits(old.sequence);
    }
  }

  #keep(segment: StoredSegment, roomy: Buffer): void {
    const { format, writer, onFile } = this.#options;
    const piece = preparedRoomyPiece(roomy, format.contentType);
    this.#keepHot(segment, piece);
    const init = segment.init && this.#writeInit(segment.init, segment.sequence);
    writer.write(segment.file, piece.body, () => onFile(segment, init));
  }

  /** Removes everything from memory and disk. */
  clear(): void {
    const { writer, paths } = this.#options;
    for (const segment of [...this.#departed, ...this.window.clear()]) {
      this.#coolDown(segment);
      writer.remove(segment.file);
    }
    this.#departed = [];
    for (const { file } of this.#inits.values()) writer.remove(file);
    this.#inits.clear();
    writer.removeDirectory(paths.directory);
  }

  /** Before the first segment that needs it. Written again if that failed. */
  #writeInit(bytes: Buffer, sequence: number): InitFile {
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, initIdLength);
    const file = this.#options.paths.file(`${initMark}${id}${initExtension}`);
    const init = this.#inits.get(id) ?? { file, neededBy: sequence, isWritten: false };
    init.neededBy = sequence;
    this.#inits.set(id, init);
    const onWritten = () => {
      init.isWritten = true;
    };
    if (!init.isWritten) this.#options.writer.write(file, bytes, onWritten);
    return { id, file };
  }

  /** Removes init sections that no later segment needs: a publisher may change its picture size often. */
  #removeInits(lastRemoved: number): void {
    for (const [id, { file, neededBy }] of this.#inits) {
      if (neededBy > lastRemoved) continue;
      this.#inits.delete(id);
      this.#options.writer.remove(file);
    }
  }

  #keepHot(segment: StoredSegment, piece: Prepared): void {
    if (!this.#options.hot) return;
    this.#options.hot.putSpare(segment.url, piece);
    this.#hot.push(segment);
    this.#hotBytes += segment.size;
    while (this.#hotBytes > maxHotBytes) {
      const [oldest] = this.#hot;
      if (!oldest || oldest === segment) break;
      this.#coolDown(oldest);
    }
  }

  #coolDown(segment: StoredSegment): void {
    const index = this.#hot.indexOf(segment);
    if (index < 0) return;
    this.#hot.splice(index, 1);
    this.#hotBytes -= segment.size;
    this.#options.hot?.delete(segment.url);
  }
}
