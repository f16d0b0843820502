import { execFileSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { packTree, sha256Of } from '../../scripts/release/archive.ts';
import { debName, makeDeb } from '../../scripts/release/deb.ts';
import { installScript } from '../../scripts/release/install-script.ts';
import { notesOf } from '../../scripts/release/notes.ts';
import { publicKeyPem, sign } from '../../scripts/release/sign.ts';

const root = join(import.meta.dirname, '../..');
const release = { version: '1.2.3', commit: 'a'.repeat(40), seconds: 1_700_000_000 };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
});

/** Files of a release as two builds leave them: the same bytes, made at other times and in another order. */
function makeTree(name: string, files: readonly string[], atSeconds: number): string {
  const tree = join(folder, name, 'weir');
  mkdirSync(join(tree, 'bin'), { recursive: true });
  for (const file of files) {
    writeFileSync(join(tree, file), file);
    utimesSync(join(tree, file), atSeconds, atSeconds);
  }
  chmodSync(join(tree, 'bin/weir'), 0o755);
  writeFileSync(join(tree, 'CHANGELOG.md'), '');
  return tree;
}

describe('the files of a release', () => {
  it('are the same bytes in two builds, as a tarball and as a Debian package', async () => {
    const sums = await Promise.all(
      [
        makeTree('first', ['a', 'b', 'bin/weir'], 1_800_000_000),
        makeTree('second', ['bin/weir', 'b', 'a'], 1_900_000_000),
      ].map((tree, place) => {
        const files = [join(folder, `${place}.tar.gz`), join(folder, `${place}-${debName(release, 'x64')}`)] as const;
        packTree(tree, files[0], release);
        makeDeb(root, tree, files[1], release, 'x64');
        return Promise.all(files.map(sha256Of));
      }),
    );
    expect(sums[0]).toEqual(sums[1]);
  });

  it('install as a package with its service, its settings and what it needs', () => {
    const file = join(folder, debName(release, 'arm64'));
    makeDeb(root, makeTree('only', ['bin/weir'], 1_800_000_000), file, release, 'arm64');
    const text = (...args: string[]) => execFileSync('dpkg-deb', args, { encoding: 'utf8' });
    const fields = text('-f', file);
    expect(fields).toContain('Architecture: arm64');
    expect(fields).toContain('Version: 1.2.3');
    expect(fields).toMatch(/Depends: .*ffmpeg, libsrt1\.5-gnutls/);
    const list = text('-c', file);
    expect(list).toMatch(/-rwxr-xr-x root\/root .* \.\/usr\/bin\/weir/);
    expect(list).toMatch(/-rw-r----- root\/root .* \.\/etc\/weir\.env/);
    expect(list).not.toContain('@');
    execFileSync('dpkg-deb', ['-x', file, join(folder, 'out')]);
    const unit = readFileSync(join(folder, 'out/lib/systemd/system/weir.service'), 'utf8');
    expect(unit).toContain('ExecStart=/usr/lib/weir/bin/weir\n');
  });

  it('are signed so that OpenSSL and Node can check them, and only with the right key', () => {
    const keysOf = (name: string) => {
      const [key, publicKey] = [join(folder, `${name}.key`), join(folder, `${name}.pub`)];
      execFileSync('minisign', ['-G', '-W', '-f', '-p', publicKey, '-s', key], { stdio: 'ignore' });
      return { key, publicKey: readFileSync(publicKey, 'utf8') };
    };
    const [ours, others] = [keysOf('ours'), keysOf('others')];
    const file = join(folder, 'SHA256SUMS');
    writeFileSync(file, 'sums');
    sign(file, ours.key, 'test');
    const line = readFileSync(`${file}.minisig`, 'utf8').split('\n')[1] ?? '';
    const signature = Buffer.from(line, 'base64').subarray(10);
    const isRight = (text: string, publicKey: string) =>
      verify(null, Buffer.from(text), createPublicKey(publicKeyPem(publicKey)), signature);
    expect(isRight('sums', ours.publicKey)).toBe(true);
    expect(isRight('sumz', ours.publicKey)).toBe(false);
    expect(isRight('sums', others.publicKey)).toBe(false);
    expect(() => publicKeyPem('untrusted comment: no key\nabcd\n')).toThrow('not one of minisign');
    const template = readFileSync(join(root, 'deploy/release/install.sh'), 'utf8');
    const script = join(folder, 'install.sh');
    writeFileSync(script, installScript(template, 'https://example.com/weir', ours.publicKey));
    execFileSync('sh', ['-n', script]);
    expect(readFileSync(script, 'utf8')).toContain("base='https://example.com/weir'");
  });

  it('have the section of their version as notes', () => {
    const changelog = '# Changelog\n\n## 1.2.3 – 2026-11-19\n\n- New.\n\n## 1.2.2\n\n- Old.\n';
    expect(notesOf(changelog, '1.2.3')).toBe('## 1.2.3 – 2026-11-19\n\n- New.\n');
    expect(() => notesOf(changelog, '9.9.9')).toThrow('no section');
  });
});
