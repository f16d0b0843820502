import { MalformedMedia } from '../../frame.ts';
import { readU64, within } from './box-reader.ts';

/** The tables of one track (ISO 14496-12, 8.6 and 8.7) as they lie in the file: views, never copies. */
export class SampleTable {
  readonly count: number;
  readonly #sizes: Buffer;
  /** Size of every sample; 0 where sizes differ. */
  readonly #oneSize: number;
  readonly #offsets: Buffer;
  readonly #isLong: boolean;
  readonly times: Runs;
  readonly compositions: Runs | undefined;
  readonly chunks: Runs;
  readonly syncs: Buffer | undefined;

  constructor(stbl: Buffer) {
    const sizes = tableOf(stbl, 'stsz');
    this.#oneSize = sizes.readUInt32BE(0);
    this.count = sizes.readUInt32BE(4);
    this.#sizes = sizes.subarray(8);
    if (this.#oneSize === 0 && this.#sizes.length < 4 * this.count) throw new MalformedMedia('stsz is cut off');
    const long = within(stbl, 'co64');
    this.#isLong = long !== undefined;
    this.#offsets = entriesOf(long?.subarray(4) ?? tableOf(stbl, 'stco'), long ? 8 : 4);
    this.times = new Runs(tableOf(stbl, 'stts'), 8);
    const compositions = within(stbl, 'ctts')?.subarray(4);
    this.compositions = compositions && new Runs(compositions, 8);
    this.chunks = new Runs(tableOf(stbl, 'stsc'), 12);
    const syncs = within(stbl, 'stss')?.subarray(4);
    this.syncs = syncs && entriesOf(syncs, 4);
  }

  sizeOf(sample: number): number {
    return this.#oneSize === 0 ? this.#sizes.readUInt32BE(4 * sample) : this.#oneSize;
  }

  get chunkCount(): number {
    return this.#offsets.length / (this.#isLong ? 8 : 4);
  }

  offsetOf(chunk: number): number {
    if (chunk >= this.chunkCount) throw new MalformedMedia('there are more samples than chunks');
    return this.#isLong ? readU64(this.#offsets, 8 * chunk) : this.#offsets.readUInt32BE(4 * chunk);
  }
}

/** Entries of equal size that begin with a number of their own. */
class Runs {
  readonly #entries: Buffer;
  readonly #entryBytes: number;
  readonly length: number;

  constructor(table: Buffer, entryBytes: number) {
    this.#entries = entriesOf(table, entryBytes);
    this.#entryBytes = entryBytes;
    this.length = this.#entries.length / entryBytes;
  }

  first(run: number): number {
    return this.#entries.readUInt32BE(run * this.#entryBytes);
  }

  second(run: number): number {
    return this.#entries.readUInt32BE(run * this.#entryBytes + 4);
  }

  /** Offsets of composition may be negative (version 1); none is so large that version 0 would differ. */
  signed(run: number): number {
    return this.#entries.readInt32BE(run * this.#entryBytes + 4);
  }
}

/** Behind version and flags. */
function tableOf(stbl: Buffer, type: string): Buffer {
  const content = within(stbl, type);
  if (!content || content.length < 8) throw new MalformedMedia(`no ${type}`);
  return content.subarray(4);
}

/** Behind their number, which must fit. */
function entriesOf(table: Buffer, entryBytes: number): Buffer {
  if (table.length < 4) throw new MalformedMedia('table is cut off');
  const bytes = table.readUInt32BE(0) * entryBytes;
  if (4 + bytes > table.length) throw new MalformedMedia('table is cut off');
  return table.subarray(4, 4 + bytes);
}
