// npm run release:check: builds releases of this commit and the one before, and installs, updates, damages and removes them in a bare Debian. Then the
// same with the Debian package and the container image. Needs root; takes a quarter of an hour, most of it Debian's packages. Names of parts (equal,
// install, deb, image) run these alone; builds of a commit are kept for the next part.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { outputOf, run } from '../command.ts';
import { BareRoot } from './bare-root.ts';
import { checkImage } from './image.ts';
import { forgetSignIn, isHealthy, publishAndWatch, settingLines, until, versionOf } from './server.ts';
import { announce, breakRelease, checkUpdates, signAgain } from './updates.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, '.cache/release-check');
const filePort = 42_099;
const base = `http://127.0.0.1:${filePort}`;
const arch = process.arch;
const failures: string[] = [];

async function step(what: string, check: () => Promise<unknown> | unknown): Promise<void> {
  const begin = performance.now();
  try {
    const detail = await check();
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    console.log(`ok      ${what} (${seconds} s${typeof detail === 'string' ? `; ${detail}` : ''})`);
  } catch (error) {
    failures.push(what);
    console.log(`FAILED  ${what}\n${error instanceof Error ? error.message : error}`);
  }
}

function assert(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}

function ensurePrograms(): void {
  if (process.getuid?.() !== 0) throw new Error('Please run this as root: it needs chroot and mounts.');
  const needed = {
    minisign: 'minisign',
    debootstrap: 'debootstrap',
    buildah: 'buildah',
    podman: 'podman',
    runc: 'runc',
  };
  const missing = Object.entries(needed).filter(([program]) => spawnSync('which', [program]).status !== 0);
  if (missing.length === 0) return;
  run('apt-get', ['update', '-q']);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing.map(([, name]) => name)]);
}

/** A release of a checkout under another version, whose numbers the updates need. */
function build(checkout: string, out: string, keys: string, version: string): void {
  if (existsSync(join(out, version, 'SHA256SUMS.minisig'))) return;
  const key = ['--key', join(keys, 'weir.key'), '--public-key', join(keys, 'weir.pub')];
  const options = ['--base', base, ...key, '--out', out, '--arch', arch, '--untagged', '--as', version];
  run(process.execPath, [join(checkout, 'scripts/release/main.ts'), ...options]);
}

/** The commit before this one, as people have it installed. */
function checkOutEarlier(folder: string): void {
  run('git', ['clone', '-q', '--no-checkout', root, folder]);
  run('git', ['-C', folder, 'checkout', '-q', outputOf('git', ['rev-parse', 'HEAD~1'], { cwd: root })]);
}

function makeKey(folder: string): void {
  mkdirSync(folder, { recursive: true });
  run('minisign', ['-G', '-W', '-f', '-p', join(folder, 'weir.pub'), '-s', join(folder, 'weir.key')]);
}

async function checkInstaller(out: string, keys: string, bare: BareRoot): Promise<void> {
  const install = (options = '') => bare.try(`sh /install.sh ${options}`);
  const isInstalled = (version: string) => bare.run('/opt/weir/current/bin/weir version').trim() === version;
  cpSync(join(out, 'install.sh'), bare.path('install.sh'));
  bare.run('apt-get install -y -q --no-install-recommends curl ca-certificates openssl ffmpeg passwd');
  cpSync(join(import.meta.dirname, 'systemctl'), bare.path('usr/bin/systemctl'));
  mkdirSync(bare.path('run/systemd/system'), { recursive: true });
  mkdirSync(bare.path('etc/systemd/system'), { recursive: true });
  const before = bare.files();
  writeFileSync(bare.path('etc/weir.env'), settingLines);
  const sums = join(out, '1.0.0/SHA256SUMS');
  const tarball = join(out, `1.0.0/weir-1.0.0-linux-${arch}.tar.gz`);
  const refuses = (what: string, file: string, damage: () => void, words: string, options = '--version 1.0.0') =>
    step(`install.sh refuses ${what}`, () => {
      const whole = [file, `${file}.minisig`]
        .filter((path) => existsSync(path))
        .map((path) => ({ path, bytes: readFileSync(path) }));
      damage();
      const { status, output } = install(options);
      for (const { path, bytes } of whole) writeFileSync(path, bytes);
      assert(status !== 0 && output.includes(words), `ended with ${status}:\n${output}`);
      assert(!existsSync(bare.path('opt/weir/releases/1.0.0')), 'files were installed');
    });
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  const others = join(keys, 'others');
  makeKey(others);
  await refuses('a damaged download', tarball, () => flip(tarball), 'damaged');
  await refuses('changed checksums', sums, () => flip(sums), 'not signed by the maintainers');
  await refuses('a signature by another key', sums, () => signAgain(sums, others), 'not signed by the maintainers');
  await refuses(
    'a signature in another format',
    sums,
    () => run('minisign', ['-S', '-s', join(keys, 'weir.key'), '-m', sums]),
    'unknown form',
  );
  await refuses(
    'the checksums of another version',
    sums,
    () => {
      cpSync(join(out, '1.0.1/SHA256SUMS'), sums);
      cpSync(join(out, '1.0.1/SHA256SUMS.minisig'), `${sums}.minisig`);
    },
    'has no weir-1.0.0',
  );
  await refuses('a version that is a path', sums, () => undefined, 'is not a version', "--version '../../1.0.0'");

  await step('install.sh installs 1.0.0, which answers within a minute', async () => {
    const begin = performance.now();
    const { status, output } = install('--version 1.0.0');
    assert(status === 0 && isInstalled('1.0.0'), output);
    await until('it answers', isHealthy);
    assert(performance.now() - begin < 60_000, 'it took longer');
    assert((await versionOf()).includes('1.0.0'), `it says ${await versionOf()}`);
  });
  await step('it runs as its own user, who can’t write the programs', () => {
    const pid = bare.read('run/weir.pid').trim();
    const uid = bare.run('id -u weir').trim();
    assert(readFileSync(`/proc/${pid}/status`, 'utf8').includes(`Uid:\t${uid}`), 'it runs as another user');
    assert(
      bare.try('setpriv --reuid=weir --regid=weir --clear-groups touch /opt/weir/current/x').status !== 0,
      'it can write',
    );
  });
  await step('a stream is published and watched', publishAndWatch);
  await checkUpdates({ step, assert, out, keys, kind: 'tarball' }, '1.0.0', '1.0.1');
  await step('weir reset-password works as the user of the service', () => {
    const output = bare.run('weir reset-password');
    assert(output.includes('setup code'), output);
    assert(bare.run('find /var/lib/weir ! -user weir').trim() === '', 'files of another user are in the data');
  });
  await step('install.sh goes back when told, and updates to the latest, and the data is still there', async () => {
    announce(out, keys, '1.0.1');
    const back = install('--version 1.0.0');
    assert(back.status === 0 && isInstalled('1.0.0'), back.output);
    const { status, output } = install();
    assert(status === 0 && output.includes('updated from 1.0.0 to 1.0.1'), output);
    await until('it answers', isHealthy);
    assert((await versionOf()).includes('1.0.1'), 'the old version runs');
  });
  await step('install.sh doesn’t go back by itself, and does when told', async () => {
    announce(out, keys, '1.0.0');
    const refused = install();
    announce(out, keys, '1.0.1');
    assert(refused.status !== 0 && refused.output.includes('newer than 1.0.0'), refused.output);
    const { status, output } = install('--version 1.0.0');
    assert(status === 0 && isInstalled('1.0.0'), output);
  });
  await step('a release that never responds is switched back by install.sh, with its settings', async () => {
    breakRelease(out, keys, '1.0.1', '1.0.2');
    const { status, output } = install('--version 1.0.2');
    assert(status !== 0 && output.includes('1.0.0 runs again'), output);
    assert(isInstalled('1.0.0'), 'the broken one is still named');
    await until('it answers', isHealthy);
  });
  await step('uninstall leaves only data', () => {
    bare.run('sh /install.sh --uninstall');
    const left = bare.files().filter((path) => !before.includes(path) && !/^\.\/var\/lib\/weir(\/|$)/.test(path));
    assert(left.length === 0, left.join('\n'));
    assert(existsSync(bare.path('var/lib/weir/weir.db')), 'the data is gone');
  });
}

async function checkDeb(out: string, keys: string, bare: BareRoot): Promise<void> {
  forgetSignIn();
  const name = `weir_1.0.0_${arch === 'x64' ? 'amd64' : 'arm64'}.deb`;
  cpSync(join(out, '1.0.0', name), bare.path(name));
  writeFileSync(bare.path('etc/weir.env'), settingLines);
  const options = '-y -q --no-install-recommends -o Dpkg::Options::=--force-confold';
  await step('the packages that it needs are downloaded', () => {
    bare.run(`apt-get install ${options} --download-only ./${name}`);
  });
  cpSync(join(import.meta.dirname, 'systemctl'), bare.path('usr/bin/systemctl'));
  mkdirSync(bare.path('run/systemd/system'), { recursive: true });
  await step('the package installs in a bare Debian, and its service answers within a minute', async () => {
    const begin = performance.now();
    bare.run(`apt-get install ${options} ./${name}`);
    await until('it answers', isHealthy);
    assert(performance.now() - begin < 60_000, `it took ${(performance.now() - begin) / 1000} s`);
  });
  await step('a stream of the packaged server is watched', publishAndWatch);
  await checkUpdates({ step, assert, out, keys, kind: 'deb' }, '1.0.0', '1.0.1');
  await step('dpkg knows the version that runs', () => {
    const record = bare.run('dpkg-query -s weir');
    assert(record.includes('\nVersion: 1.0.1\n') && record.includes('\nStatus: install ok installed\n'), record);
  });
  await step('purging the package leaves only data', () => {
    bare.run('apt-get purge -y -q weir');
    rmSync(bare.path('usr/bin/systemctl'));
    const left = bare
      .files()
      .filter((path) => /weir/.test(path) && !/^\.\/var\/lib\/weir(\/|$)/.test(path) && path !== `./${name}`);
    assert(left.length === 0, left.join('\n'));
    assert(existsSync(bare.path('var/lib/weir/weir.db')), 'the data is gone');
  });
}

/** Builds of this commit, with their key. Those of other commits are removed. */
function placeOfBuilds() {
  const all = join(cache, 'releases');
  const folder = join(all, outputOf('git', ['rev-parse', 'HEAD'], { cwd: root }));
  const keys = join(folder, 'keys');
  if (!existsSync(join(keys, 'weir.key'))) {
    rmSync(all, { recursive: true, force: true });
    makeKey(keys);
  }
  return { out: join(folder, 'out'), keys };
}

async function main(): Promise<void> {
  ensurePrograms();
  const work = mkdtempSync(join(tmpdir(), 'weir-release-check-'));
  const { out, keys } = placeOfBuilds();
  const files = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), out, String(filePort)], {
    stdio: 'inherit',
  });
  const roots: BareRoot[] = [];
  const copyOf = (name: string) => {
    const copy = BareRoot.copy(BareRoot.base(cache), join(work, name));
    roots.push(copy);
    return copy;
  };
  try {
    const wanted = process.argv.slice(2);
    const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
    build(root, out, keys, '1.0.1');
    if (isWanted('equal')) {
      await step('two builds of one commit are equal', () => {
        build(root, join(work, 'again'), keys, '1.0.1');
        const sums = [join(work, 'again'), out].map((folder) => readFileSync(join(folder, '1.0.1/SHA256SUMS'), 'utf8'));
        assert(sums[0] === sums[1], sums.join('\n'));
        rmSync(join(work, 'again'), { recursive: true });
      });
    }
    if (isWanted('install') || isWanted('deb')) {
      checkOutEarlier(join(work, 'earlier'));
      build(join(work, 'earlier'), out, keys, '1.0.0');
    }
    if (isWanted('install')) await checkInstaller(out, keys, copyOf('installed'));
    if (isWanted('deb')) await checkDeb(out, keys, copyOf('packaged'));
    if (isWanted('image')) await checkImage({ step, assert, work, base: BareRoot.base(cache) });
  } finally {
    files.kill();
    for (const bare of roots) {
      bare.try('/usr/bin/systemctl disable --now weir-update.path');
      bare.try('/usr/bin/systemctl stop weir');
      bare.remove();
    }
    if (roots.every(({ folder }) => !existsSync(folder))) rmSync(work, { recursive: true, force: true });
  }
  console.log(failures.length === 0 ? 'Everything passed.' : `${failures.length} failed.`);
  process.exit(failures.length === 0 ? 0 : 1);
}

await main();
