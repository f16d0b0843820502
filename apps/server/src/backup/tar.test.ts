import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readTar, type TarEntry, tarEnd, writeTarEntry } from './tar.ts';

const files: Record<string, string> = { 'a.json': '{}', empty: '', 'folder/b.txt': 'x'.repeat(1024), c: 'tail' };

async function archive(): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (const [name, text] of Object.entries(files))
    for await (const piece of writeTarEntry({ name, bytes: text.length }, [Buffer.from(text)], 1_700_000_000))
      pieces.push(piece);
  return Buffer.concat([...pieces, tarEnd]);
}

async function read(bytes: Buffer, pieceBytes: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let name = '';
  const sink = {
    begin: async (entry: TarEntry) => {
      name = entry.name;
      found[name] = '';
    },
    write: async (piece: Buffer) => {
      found[name] += piece.toString();
    },
    end: async () => undefined,
  };
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  await readTar(pieces(), sink);
  return found;
}

describe('an archive', () => {
  it('is listed by tar and read back at every size of pieces', async () => {
    const bytes = await archive();
    expect(execFileSync('tar', ['-t'], { input: bytes, encoding: 'utf8' }).trim().split('\n')).toEqual(
      Object.keys(files),
    );
    for (const size of [1, 511, 512, 513, 5000, bytes.length]) expect(await read(bytes, size)).toEqual(files);
  });

  it('is refused with links, folders, other checksums, cuts, and bytes behind its end', async () => {
    const bytes = await archive();
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(bytes);
      copy[at] = value;
      return copy;
    };
    const bad = [
      changed(156, 0x32),
      changed(156, 0x35),
      changed(0, 0x62),
      changed(345, 0x2f),
      bytes.subarray(0, 600),
      bytes.subarray(0, -1024),
      Buffer.concat([bytes, bytes.subarray(0, 1024)]),
      Buffer.alloc(512, 0x41),
      Buffer.alloc(0),
    ];
    for (const each of bad) await expect(read(each, 4096)).rejects.toThrow(/damaged|not a backup/);
  });
});
