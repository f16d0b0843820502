import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installLocalAi, readLocalAiState, removeLocalAi } from '@weir/local-ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';

let directory: string;
const path = process.env.PATH;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-models-'));
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(directory, { recursive: true, force: true });
});

/** All files as if an install had put them there; those that a test may change are its own. */
async function layAll(): Promise<void> {
  const models = await localModels();
  for (const name of readdirSync(models, { recursive: true, encoding: 'utf8' })) {
    const [from, to] = [join(models, name), join(directory, name)];
    if (statSync(from).isDirectory()) mkdirSync(to, { recursive: true });
    else if (statSync(from).size < 1_000_000) copyFileSync(from, to);
    else symlinkSync(from, to);
  }
}

/** Leaves two small packages unfinished: one missing, one with a broken file. */
async function interrupted(): Promise<void> {
  await layAll();
  rmSync(join(directory, 'builtin/sherpa-onnx-node'), { recursive: true });
  truncateSync(join(directory, 'builtin/moonshine-tiny/tokens.txt'), 1000);
}

/** A program of that name that is found before the real one. */
function fakeNpm(script: string): void {
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  process.env.PATH = `${bin}:${path}`;
}

describe('an installation of built-in AI', () => {
  it('continues where it was interrupted, and fetches nothing else', async () => {
    await interrupted();
    expect(await readLocalAiState(directory)).toMatchObject({
      installed: false,
      missing: expect.arrayContaining(['builtin/moonshine-tiny/tokens.txt', 'builtin/sherpa-onnx-node/vad.js']),
      downloadBytes: 388_950 + 11_954,
    });
    const told: { file: string; doneBytes: number; totalBytes: number }[] = [];
    await installLocalAi(directory, { onProgress: (progress) => told.push(progress) });
    expect(await readLocalAiState(directory)).toMatchObject({ installed: true, missing: [], downloadBytes: 0 });
    expect(new Set(told.map(({ file }) => file))).toEqual(
      new Set(['sherpa-onnx-node@1.13.8', 'llama-tokenizer-js@1.2.2']),
    );
    expect(told.at(-1)).toMatchObject({ step: 'unpack', doneBytes: 400_904, totalBytes: 400_904 });
    expect(readdirSync(join(directory, 'builtin')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('uses packages that were copied into place, and downloads nothing where everything is there', async () => {
    await layAll();
    fakeNpm('exit 1');
    await installLocalAi(directory);
    rmSync(join(directory, 'builtin/moonshine-tiny/tokens.txt'));
    await expect(installLocalAi(directory)).rejects.toMatchObject({ fault: 'registry-unreachable' });
    // A file that only looks like the package is no reason to stop, nor to be believed.
    writeFileSync(join(directory, 'llama-tokenizer-js-1.2.2.tgz'), Buffer.alloc(388_950));
    await expect(installLocalAi(directory)).rejects.toMatchObject({ fault: 'registry-unreachable' });
    const env = { ...process.env, PATH: path };
    execFileSync('npm', ['pack', 'llama-tokenizer-js@1.2.2', '--silent', `--pack-destination=${directory}`], { env });
    await installLocalAi(directory);
    expect(await readLocalAiState(directory)).toMatchObject({ installed: true });
    // The archive belongs to the owner, who may want it for another machine.
    expect(readdirSync(directory)).toContain('llama-tokenizer-js-1.2.2.tgz');
  });

  it.each([
    [
      'a package with a wrong checksum',
      'echo evil > "$(echo "$3" | cut -d= -f2)/llama-tokenizer-js-1.2.2.tgz"',
      'wrong-sum',
    ],
    ['a registry that cannot be reached', 'echo "npm error code ENOTFOUND" >&2; exit 1', 'registry-unreachable'],
  ])('refuses %s, and keeps the installed files', async (_, script, fault) => {
    await layAll();
    rmSync(join(directory, 'builtin/moonshine-tiny/tokens.txt'));
    fakeNpm(script);
    await expect(installLocalAi(directory)).rejects.toMatchObject({ fault });
    expect((await readLocalAiState(directory)).missing).toEqual(['builtin/moonshine-tiny/tokens.txt']);
  });

  it('runs one at a time, and can be cancelled', async () => {
    fakeNpm('exec sleep 60');
    const stop = new AbortController();
    const first = installLocalAi(directory, { signal: stop.signal });
    const failed = expect(first).rejects.toMatchObject({ fault: 'cancelled' });
    await expect.poll(() => existsSync(join(directory, 'builtin/.incoming'))).toBe(true);
    await expect(installLocalAi(directory)).rejects.toMatchObject({ fault: 'busy' });
    stop.abort();
    await failed;
    await removeLocalAi(directory);
    expect(readdirSync(directory)).toEqual(['bin']);
  });

  it('is removed without a trace, and without anything of the owner’s', async () => {
    await layAll();
    mkdirSync(join(directory, 'sherpa-onnx-sense-voice'));
    writeFileSync(join(directory, 'sherpa-onnx-sense-voice/model.onnx'), 'mine');
    writeFileSync(join(directory, 'builtin/pp-ocr/notes.txt'), 'mine');
    await removeLocalAi(directory);
    expect(readdirSync(directory, { recursive: true }).sort()).toEqual([
      'builtin',
      'builtin/pp-ocr',
      'builtin/pp-ocr/notes.txt',
      'sherpa-onnx-sense-voice',
      'sherpa-onnx-sense-voice/model.onnx',
    ]);
  });
});
