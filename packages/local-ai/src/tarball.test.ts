import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTarball, TarReader } from './tarball.ts';

/** Entry of a ustar archive. */
function entry(name: string, content: Buffer, kind = '0', prefix = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write(' '.repeat(8), 148);
  header.write(kind, 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  header.write(
    header
      .reduce((sum, byte) => sum + byte)
      .toString(8)
      .padStart(6, '0'),
    148,
  );
  header[154] = 0;
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const end = Buffer.alloc(1024);
const archive = Buffer.concat([
  entry('package/README.md', Buffer.from('not wanted')),
  entry('package/../../evil', Buffer.from('never')),
  entry('package/link', Buffer.alloc(0), '2'),
  entry('package/model.onnx', Buffer.alloc(3000, 7)),
  entry('model.bin', Buffer.alloc(512, 9), '0', 'package/deep'),
  entry('package/short.txt', Buffer.from('another length')),
  end,
]);
const wanted = new Map([
  ['package/model.onnx', 3000],
  ['package/deep/model.bin', 512],
  ['package/short.txt', 3],
  ['package/link', 0],
  ['package/absent', 1],
]);

describe('readTarball', () => {
  it('extracts only wanted files of the right length from any chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: archive.length }), { maxLength: 20 }), (cuts) => {
        const reader = new TarReader(wanted);
        const places = [0, ...cuts.sort((a, b) => a - b), archive.length];
        const found = places.slice(1).flatMap((to, index) => reader.push(archive.subarray(places[index], to)));
        expect(found.map(({ name, content }) => [name, content.length, content[0]])).toEqual([
          ['package/model.onnx', 3000, 7],
          ['package/deep/model.bin', 512, 9],
        ]);
      }),
    );
  });

  it.each([
    ['a damaged header', () => Buffer.from(archive).fill(0x41, 0, 10)],
    ['a length that is no number', () => Buffer.from(archive).fill(0x7a, 124, 135)],
    ['noise', () => Buffer.alloc(2000, 0x55)],
    ['an entry for names that is too long', () => entry('package/x', Buffer.alloc(70_000), 'x')],
  ])('rejects a tarball with %s', (_, make) => {
    expect(() => new TarReader(wanted).push(make())).toThrow(/tarball/);
  });

  it('reads a file and rejects a truncated one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'weir-tar-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const path = join(directory, 'x.tgz');
    const packed = gzipSync(archive);
    writeFileSync(path, packed);
    const names: string[] = [];
    await readTarball(path, wanted, async (name) => void names.push(name));
    expect(names).toEqual(['package/model.onnx', 'package/deep/model.bin']);
    writeFileSync(path, packed.subarray(0, packed.length - 20));
    await expect(readTarball(path, wanted, async () => undefined)).rejects.toThrow();
  });
});
