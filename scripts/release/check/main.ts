// npm run release:check: builds two releases of this checkout, and installs, updates, damages and removes them in a bare Debian. Then the
// same with the Debian package and the container image. Needs root; takes a quarter of an hour, most of it Debian's packages.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { outputOf, run } from '../command.ts';
import { BareRoot } from './bare-root.ts';
import { checkImage } from './image.ts';
import { isHealthy, publishAndWatch, settingLines, until, versionOf } from './server.ts';

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

/** A release of this checkout under another version, whose numbers the updates need. */
function build(out: string, keys: string, version: string): void {
  const options = [
    '--base',
    base,
    '--key',
    join(keys, 'weir.key'),
    '--public-key',
    join(keys, 'weir.pub'),
    '--out',
    out,
  ];
  run(process.execPath, [
    join(root, 'scripts/release/main.ts'),
    ...options,
    '--arch',
    arch,
    '--untagged',
    '--as',
    version,
  ]);
}

function makeKey(folder: string): void {
  mkdirSync(folder, { recursive: true });
  run('minisign', ['-G', '-W', '-f', '-p', join(folder, 'weir.pub'), '-s', join(folder, 'weir.key')]);
}

function signAgain(file: string, keys: string): void {
  run('minisign', ['-S', '-l', '-s', join(keys, 'weir.key'), '-m', file, '-x', `${file}.minisig`]);
}

/** A release that starts and never responds, signed like any other. */
function breakRelease(out: string, keys: string, from: string, version: string): void {
  const work = mkdtempSync(join(tmpdir(), 'weir-broken-'));
  const name = (number: string) => `weir-${number}-linux-${arch}`;
  run('tar', ['-xzf', join(out, from, `${name(from)}.tar.gz`), '-C', work]);
  writeFileSync(join(work, name(from), 'apps/server/dist/main.cjs'), 'setInterval(() => {}, 1000);\n');
  run('sed', ['-i', `s/"version": "${from}"/"version": "${version}"/`, join(work, name(from), 'package.json')]);
  run('mv', [join(work, name(from)), join(work, name(version))]);
  mkdirSync(join(out, version));
  const file = join(out, version, `${name(version)}.tar.gz`);
  run('tar', ['-czf', file, '-C', work, name(version)]);
  const sum = outputOf('sha256sum', [file]).slice(0, 64);
  writeFileSync(join(out, version, 'SHA256SUMS'), `${sum}  ${name(version)}.tar.gz\n`);
  signAgain(join(out, version, 'SHA256SUMS'), keys);
  rmSync(work, { recursive: true });
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

  await step('install.sh installs 1.0.0, which answers', async () => {
    const { status, output } = install('--version 1.0.0');
    assert(status === 0 && isInstalled('1.0.0'), output);
    await until('it answers', isHealthy);
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
  await step('weir reset-password works as the user of the service', () => {
    const output = bare.run('weir reset-password');
    assert(output.includes('setup code'), output);
    assert(bare.run('find /var/lib/weir ! -user weir').trim() === '', 'files of another user are in the data');
  });
  await step('install.sh updates to the latest, and the data is still there', async () => {
    const { status, output } = install();
    assert(status === 0 && output.includes('updated from 1.0.0 to 1.0.1'), output);
    await until('it answers', isHealthy);
    assert((await versionOf()).includes('1.0.1'), 'the old version runs');
  });
  await step('install.sh doesn’t go back by itself, and does when told', async () => {
    const latest = join(out, 'latest.json');
    const bytes = [latest, `${latest}.minisig`].map((path) => ({ path, text: readFileSync(path) }));
    writeFileSync(latest, readFileSync(latest, 'utf8').replaceAll('"1.0.1"', '"1.0.0"'));
    signAgain(latest, keys);
    const refused = install();
    for (const { path, text } of bytes) writeFileSync(path, text);
    assert(refused.status !== 0 && refused.output.includes('newer than 1.0.0'), refused.output);
    const { status, output } = install('--version 1.0.0');
    assert(status === 0 && isInstalled('1.0.0'), output);
  });
  await step('a release that never responds is switched back', async () => {
    breakRelease(out, keys, '1.0.1', '1.0.2');
    const { status, output } = install('--version 1.0.2');
    assert(status !== 0 && output.includes('1.0.0 runs again'), output);
    assert(isInstalled('1.0.0'), 'the broken one is still named');
    await until('it answers', isHealthy);
  });
  await step('uninstall leaves only data', () => {
    bare.run('sh /install.sh --uninstall');
    const left = bare.files().filter((path) => !before.includes(path) && !path.startsWith('./var/lib/weir'));
    assert(left.length === 0, left.join('\n'));
    assert(existsSync(bare.path('var/lib/weir/weir.db')), 'the data is gone');
  });
}

async function checkDeb(out: string, bare: BareRoot): Promise<void> {
  const name = `weir_1.0.0_${arch === 'x64' ? 'amd64' : 'arm64'}.deb`;
  cpSync(join(out, '1.0.0', name), bare.path(name));
  writeFileSync(bare.path('etc/weir.env'), settingLines);
  const options = '-y -q --no-install-recommends -o Dpkg::Options::=--force-confold';
  await step(
    'the package installs in a bare Debian, with what it needs',
    () => bare.run(`apt-get install ${options} ./${name}`) && '',
  );
  await step('the service of the package answers, and a stream is watched', async () => {
    cpSync(join(import.meta.dirname, 'systemctl'), bare.path('usr/bin/systemctl'));
    bare.run('systemctl start weir');
    const ms = await until('it answers', isHealthy);
    await publishAndWatch();
    bare.run('systemctl stop weir');
    return `answers after ${(ms / 1000).toFixed(1)} s`;
  });
  await step('purging the package leaves only data', () => {
    rmSync(bare.path('usr/bin/systemctl'));
    bare.run('apt-get purge -y -q weir');
    const left = bare
      .files()
      .filter((path) => /weir/.test(path) && !path.startsWith('./var/lib/weir') && path !== `./${name}`);
    assert(left.length === 0, left.join('\n'));
    assert(existsSync(bare.path('var/lib/weir/weir.db')), 'the data is gone');
  });
}

async function main(): Promise<void> {
  ensurePrograms();
  const work = mkdtempSync(join(tmpdir(), 'weir-release-check-'));
  const out = join(work, 'out');
  const keys = join(work, 'keys');
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
    makeKey(keys);
    await step('two builds of one commit are equal', () => {
      build(join(work, 'again'), keys, '1.0.0');
      build(out, keys, '1.0.0');
      const sums = [join(work, 'again'), out].map((folder) => readFileSync(join(folder, '1.0.0/SHA256SUMS'), 'utf8'));
      assert(sums[0] === sums[1], sums.join('\n'));
      rmSync(join(work, 'again'), { recursive: true });
    });
    build(out, keys, '1.0.1');
    const wanted = process.argv.slice(2);
    const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
    if (isWanted('install')) await checkInstaller(out, keys, copyOf('installed'));
    if (isWanted('deb')) await checkDeb(out, copyOf('packaged'));
    if (isWanted('image')) await checkImage({ step, assert, work, base: BareRoot.base(cache) });
  } finally {
    files.kill();
    for (const bare of roots) {
      bare.try('/usr/bin/systemctl stop weir');
      bare.remove();
    }
    if (roots.every(({ folder }) => !existsSync(folder))) rmSync(work, { recursive: true, force: true });
  }
  console.log(failures.length === 0 ? 'Everything passed.' : `${failures.length} failed.`);
  process.exit(failures.length === 0 ? 0 : 1);
}

await main();
