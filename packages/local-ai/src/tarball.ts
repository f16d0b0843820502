import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

const blockBytes = 512;
/** Limit of extension headers (long names, attributes), which are a few lines. */
const largestExtra = 64 * 1024;
/** Limit of the unpacked size, since a small file can expand to any size. */
const largestWhole = 2 * 1024 ** 3;

interface Member {
  readonly name: string;
  readonly bytes: number;
  readonly isFile: boolean;
}

/**
 * Reads a tarball once and returns the requested files by exact name and length. Names in the archive are used for nothing else; missing
 * files are skipped.
 */
export async function readTarball(
  path: string,
  wanted: ReadonlyMap<string, number>,
  onFile: (name: string, content: Buffer) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const reader = new TarReader(wanted);
  await pipeline(
    createReadStream(path),
    createGunzip(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) for (const { name, content } of reader.push(chunk)) await onFile(name, content);
    },
    { signal },
  );
}

/** Extracts wanted files from tar data in arbitrary chunks. */
export class TarReader {
  readonly #wanted: ReadonlyMap<string, number>;
  #rest: Buffer = Buffer.alloc(0);
  #whole = 0;
  /** Current member, with its data if wanted. */
  #current:
    | { readonly member: Member; readonly parts: Buffer[] | undefined; missing: number; padding: number }
    | undefined;

  constructor(wanted: ReadonlyMap<string, number>) {
    this.#wanted = wanted;
  }

  push(chunk: Buffer): { name: string; content: Buffer }[] {
    this.#whole += chunk.length;
    if (this.#whole > largestWhole) throw new Error('the unpacked tarball is too large');
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const found: { name: string; content: Buffer }[] = [];
    for (;;) {
      if (!this.#current) {
        if (this.#rest.length < blockBytes) return found;
        this.#begin(this.#consume(blockBytes));
        continue;
      }
      const current = this.#current;
      const part = this.#consume(Math.min(current.missing, this.#rest.length));
      current.missing -= part.length;
      current.parts?.push(part);
      if (current.missing > 0 || this.#rest.length < current.padding) return found;
      this.#consume(current.padding);
      this.#current = undefined;
      if (current.parts) found.push({ name: current.member.name, content: Buffer.concat(current.parts) });
    }
  }

  #consume(bytes: number): Buffer {
    const part = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(bytes);
    return part;
  }

  #begin(header: Buffer): void {
    // Zero blocks mark the end.
    if (header.every((byte) => byte === 0)) return;
    const member = parseHeader(header);
    if (!member.isFile && member.bytes > largestExtra) throw new Error('the tarball has an entry that is too long');
    const isWanted = member.isFile && this.#wanted.get(member.name) === member.bytes;
    const padding = (blockBytes - (member.bytes % blockBytes)) % blockBytes;
    this.#current = { member, parts: isWanted ? [] : undefined, missing: member.bytes, padding };
  }
}

/** POSIX ustar: name at 0 (100), size in octal at 124 (12), checksum at 148 (8), type at 156, name prefix at 345 (155). */
function parseHeader(header: Buffer): Member {
  const text = (from: number, length: number) => header.toString('latin1', from, from + length).replace(/\0.*$/s, '');
  const number = (from: number, length: number) => {
    const digits = text(from, length).trim();
    if (!/^[0-7]{1,12}$/.test(digits)) throw new Error('the tarball has a header that cannot be read');
    return Number.parseInt(digits, 8);
  };
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== number(148, 8)) throw new Error('the tarball has a damaged header');
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  const kind = text(156, 1);
  const name = text(0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    bytes: number(124, 12),
    isFile: kind === '' || kind === '0',
  };
}
