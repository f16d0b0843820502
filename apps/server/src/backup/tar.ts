import { refuseBackup } from './backup-refusal.ts';

/** A file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
}

const blockBytes = 512;
const fileType = 0x30;
const longestName = 100;
const mostFileBytes = 0o77777777777;

/** One file in the ustar format (POSIX.1-1988): its header, its content and padding. */
export async function* writeTarEntry(
  { name, bytes }: TarEntry,
  content: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  seconds: number,
): AsyncGenerator<Uint8Array> {
  if (Buffer.byteLength(name) > longestName || bytes > mostFileBytes) throw new Error('this file fits no archive');
  yield header({ name, bytes }, seconds);
  let left = bytes;
  for await (const piece of content) {
    // A file that grew meanwhile is cut where it was.
    const part = piece.subarray(0, left);
    left -= part.length;
    if (part.length > 0) yield part;
  }
  if (left > 0) throw new Error('a file became shorter while it was backed up');
  yield Buffer.alloc(paddingOf(bytes));
}

export const tarEnd = Buffer.alloc(2 * blockBytes);

function header({ name, bytes }: TarEntry, seconds: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, width: number) =>
    block.write(value.toString(8).padStart(width - 1, '0'), at, 'latin1');
  block.write(name, 0, 'utf8');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(seconds, 136, 12);
  block[156] = fileType;
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** Sum of all bytes, with the field of the sum as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

/** Receives the files of an archive in their order. */
export interface TarSink {
  begin(entry: TarEntry): Promise<void>;
  write(piece: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** Reads what `writeTarEntry` writes and nothing else: plain files, without links, folders, devices or long names. */
export async function readTar(bytes: AsyncIterable<Buffer>, sink: TarSink): Promise<void> {
  let held = Buffer.alloc(0);
  let entry: { left: number; padding: number } | undefined;
  let emptyBlocks = 0;
  for await (const piece of bytes) {
    let rest = held.length > 0 ? Buffer.concat([held, piece]) : piece;
    held = Buffer.alloc(0);
    while (rest.length > 0) {
      if (entry && entry.left > 0) {
        const part = rest.subarray(0, entry.left);
        await sink.write(part);
        entry.left -= part.length;
        rest = rest.subarray(part.length);
      } else if (entry) {
        const skipped = Math.min(entry.padding, rest.length);
        entry.padding -= skipped;
        rest = rest.subarray(skipped);
        if (entry.padding > 0) continue;
        await sink.end();
        entry = undefined;
      } else if (rest.length < blockBytes) {
        held = Buffer.from(rest);
        rest = rest.subarray(rest.length);
      } else {
        const block = rest.subarray(0, blockBytes);
        rest = rest.subarray(blockBytes);
        if (block.every((byte) => byte === 0)) {
          emptyBlocks++;
          continue;
        }
        if (emptyBlocks > 0) throw refuseBackup('damaged');
        const next = parseHeader(block);
        await sink.begin(next);
        entry = { left: next.bytes, padding: paddingOf(next.bytes) };
        if (next.bytes === 0) {
          await sink.end();
          entry = undefined;
        }
      }
    }
  }
  if (entry && entry.left === 0 && entry.padding === 0) await sink.end();
  else if (entry) throw refuseBackup('damaged');
  if (emptyBlocks < 2 || held.length > 0) throw refuseBackup('damaged');
}

function parseHeader(block: Buffer): TarEntry {
  const text = (from: number, length: number) => {
    const field = block.subarray(from, from + length);
    const end = field.indexOf(0);
    return field.subarray(0, end === -1 ? length : end).toString('utf8');
  };
  const octal = (from: number, length: number) => {
    const digits = text(from, length).trim();
    return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  };
  const bytes = octal(124, 12);
  const isPlain = block[156] === fileType && text(257, 6) === 'ustar' && text(345, 155) === '' && text(157, 100) === '';
  if (!isPlain || Number.isNaN(bytes) || octal(148, 8) !== checksumOf(block)) throw refuseBackup('not-a-backup');
  return { name: text(0, longestName), bytes };
}
