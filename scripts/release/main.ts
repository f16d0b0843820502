// npm run release: everything of a release, from the tag of the checked-out commit. docs/releasing.md has the steps for maintainers.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { publicKeyLine } from '../../apps/server/src/releases/release-signature.ts';
import { packTree, sha256Of } from './archive.ts';
import { outputOf, run } from './command.ts';
import { debName, makeDeb } from './deb.ts';
import { installScript } from './install-script.ts';
import { notesOf } from './notes.ts';
import { sbomOf } from './sbom.ts';
import { assertKeyPair, sign } from './sign.ts';
import { type Architecture, architectures, buildSource, type Release, writeTree } from './tree.ts';

const usage = `npm run release -- --base URL --key SECRET --public-key FILE [--out DIR] [--arch x64,arm64] [--untagged [--as VERSION]]

Builds the release of the checked-out commit, which must have the tag v<version of package.json>.
  --base        URL under which the output will lie, built into install.sh
  --key         secret key of minisign; --public-key its other half (minisign -G makes both)
  --out         output directory, release by default
  --arch        architectures, all by default
  --untagged    for trying out: any commit, the version gets +<commit>, or is that of --as`;

const root = join(import.meta.dirname, '../..');

function readArguments() {
  const text = { type: 'string' } as const;
  const options = {
    base: text,
    key: text,
    'public-key': text,
    out: text,
    arch: text,
    as: text,
    untagged: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  const {
    base,
    key,
    'public-key': publicKey,
    out = 'release',
    arch = architectures.join(','),
    as = '',
    untagged = false,
  } = values;
  const wanted = arch.split(',').filter((name): name is Architecture => architectures.some((known) => known === name));
  if (base === undefined || key === undefined || publicKey === undefined || wanted.length !== arch.split(',').length)
    throw new Error(usage);
  if (!/^https?:\/\/[^\s'"\\]+$/.test(base)) throw new Error('--base must be an http:// or https:// URL.');
  return {
    base: base.replace(/\/+$/, ''),
    key: resolve(key),
    publicKey: resolve(publicKey),
    out: resolve(out),
    wanted,
    as,
    untagged,
  };
}

const packageVersion = (): string => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** The version of package.json, which a clean checkout of its tag has. */
function readRelease(isUntagged: boolean, as: string, origin: Release['origin']): Release {
  const version = packageVersion();
  const git = (...args: string[]) => outputOf('git', args, { cwd: root });
  const commit = git('rev-parse', 'HEAD');
  const more = origin ? { origin } : {};
  const seconds = Number(git('show', '-s', '--format=%ct', 'HEAD'));
  if (git('status', '--porcelain', '--untracked-files=no') !== '')
    throw new Error('The checkout has changes. Commit them first.');
  if (isUntagged) return { version: as === '' ? `${version}+${commit.slice(0, 8)}` : as, commit, seconds, ...more };
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    throw new Error(`This commit doesn't have the tag v${version}. Tag it, or try out with --untagged.`);
  return { version, commit, seconds, ...more };
}

/** Previews are never what servers install by themselves: the newest that is none stays. */
function stableOf(version: string, latestFile: string): string {
  if (!version.includes('-')) return version;
  if (!existsSync(latestFile)) return '';
  return (JSON.parse(readFileSync(latestFile, 'utf8')) as { stable?: string }).stable ?? '';
}

async function main(): Promise<void> {
  const { base, key, publicKey, out, wanted, as, untagged } = readArguments();
  assertKeyPair(key, publicKey);
  const line = publicKeyLine(readFileSync(publicKey, 'utf8'));
  const release = readRelease(untagged, as, { base, key: line });
  const work = mkdtempSync(join(tmpdir(), 'weir-release-'));
  const folder = join(out, release.version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const source = join(work, 'source');
    mkdirSync(source);
    const archive = join(work, 'source.tar');
    run('git', ['archive', '--format=tar', '-o', archive, release.commit], { cwd: root });
    run('tar', ['-xf', archive, '-C', source]);
    console.log(`Building Weir ${release.version}…`);
    buildSource(source);
    const files: string[] = [];
    for (const arch of wanted) {
      const name = `weir-${release.version}-linux-${arch}`;
      const tree = join(work, name);
      console.log(`Packing ${name}…`);
      writeTree(source, tree, release, arch);
      packTree(tree, join(folder, `${name}.tar.gz`), release);
      makeDeb(source, tree, join(folder, debName(release, arch)), release, arch);
      files.push(`${name}.tar.gz`, debName(release, arch));
    }
    writeFileSync(join(folder, 'sbom.json'), sbomOf(source, release));
    writeFileSync(
      join(folder, 'NOTES.md'),
      notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), packageVersion()),
    );
    files.push('sbom.json', 'NOTES.md');
    const sums = await Promise.all(files.map(async (name) => ({ name, sha256: await sha256Of(join(folder, name)) })));
    writeFileSync(join(folder, 'SHA256SUMS'), sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
    sign(join(folder, 'SHA256SUMS'), key, `Weir ${release.version}`);
    const latest = {
      version: release.version,
      stable: stableOf(release.version, join(out, 'latest.json')),
      date: new Date(release.seconds * 1000).toISOString(),
      notes: `${base}/${release.version}/NOTES.md`,
      files: sums.map((sum) => ({ ...sum, bytes: statSync(join(folder, sum.name)).size })),
    };
    writeFileSync(join(out, 'latest.json'), `${JSON.stringify(latest, null, 2)}\n`);
    sign(join(out, 'latest.json'), key, `Weir ${release.version}`);
    const template = readFileSync(join(root, 'deploy/release/install.sh'), 'utf8');
    writeFileSync(join(out, 'install.sh'), installScript(template, base, readFileSync(publicKey, 'utf8')), {
      mode: 0o755,
    });
    for (const { name, sha256 } of sums) console.log(`${sha256}  ${name}`);
    console.log(`Done. Copy the content of ${out} to ${base}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
