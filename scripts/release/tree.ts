import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run } from './command.ts';

export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** Version and commit of a release. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  /** Date of the commit: every file of a release has it, so that two builds of one commit are equal. */
  readonly seconds: number;
  /** Where newer releases will lie, and the line of minisign's public key that signs them; absent in trials without them. */
  readonly origin?: { readonly base: string; readonly key: string };
}

const planes = ['weir', 'engine', 'server', 'ai'];
/** Read by nothing at run time. They are a third of the packages. */
const spare = /\.(md|markdown|map|ts|cts|mts|flow|tsbuildinfo)$|\.(test|spec)\.[cm]?js$/i;
const spareFolders = new Set([
  'test',
  'tests',
  '__tests__',
  'example',
  'examples',
  'docs',
  'benchmark',
  'benchmarks',
  '.github',
]);
/** Code of C++ packages. Ready-made binaries come beside it. */
const spareOfNative = new Set(['src', 'lib', 'vendor', 'doc']);

/** Builds the console, the planes and the commands in a checkout of the commit. */
export function buildSource(source: string): void {
  npmInstall(source, []);
  const build = "import('./scripts/setup.mjs').then((setup) => { setup.ensureConsole(); setup.ensurePlanes(); })";
  run(process.execPath, ['-e', build], { cwd: source });
  run(process.execPath, [join(source, 'scripts/release/commands.ts')], { cwd: source });
}

/** Writes all files of a release for one architecture. Nothing in it needs npm, a compiler or the network. */
export function writeTree(source: string, tree: string, release: Release, arch: Architecture): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(tree, 'apps'), { recursive: true });
  for (const plane of [...planes, 'web']) {
    cpSync(join(source, 'apps', plane, 'dist'), join(tree, 'apps', plane, 'dist'), { recursive: true });
    rmSync(join(tree, 'apps', plane, 'dist/.built-from'), { force: true });
  }
  cpSync(join(source, 'apps/weir/commands'), join(tree, 'commands'), { recursive: true });
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(source, file), join(tree, file));
  cpSync(join(source, 'deploy/release/weir'), join(tree, 'bin/weir'));
  for (const file of [
    'weir.service',
    'weir-update.service',
    'weir-update.path',
    'weir.env',
    'weir-command',
    'place-units',
  ])
    cpSync(join(source, 'deploy/release', file), join(tree, 'deploy', file));
  const { name, license } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Record<string, string>;
  const about = {
    name,
    version: release.version,
    license,
    type: 'module',
    commit: release.commit,
    release: release.origin,
  };
  writeFileSync(join(tree, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  copyPackages(source, tree, arch);
  normalise(tree, release.seconds);
}

/** Packages that the planes find by where they lie, and Node. */
function copyPackages(source: string, tree: string, arch: Architecture): void {
  const staging = `${tree}.packages`;
  rmSync(staging, { recursive: true, force: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(staging, file));
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(source, group)))
      cpSync(join(source, group, name, 'package.json'), join(staging, group, name, 'package.json'));
  }
  npmInstall(staging, [
    '--omit=dev',
    '--workspace=apps/engine',
    '--workspace=apps/server',
    '--include-workspace-root',
    '--os=linux',
    `--cpu=${arch}`,
    '--libc=glibc',
  ]);
  const modules = join(staging, 'node_modules');
  const node = join(modules, `node-linux-${arch}`);
  cpSync(join(node, 'bin/node'), join(tree, 'node/bin/node'));
  cpSync(join(node, 'LICENSE'), join(tree, 'node/LICENSE'));
  cpSync(modules, join(tree, 'node_modules'), {
    recursive: true,
    filter: (path) => isNeeded(path.slice(modules.length + 1)),
  });
  rmSync(staging, { recursive: true });
}

function isNeeded(path: string): boolean {
  const [first = '', second = '', ...rest] = path.split('/');
  if (
    ['.bin', '.cache', '.package-lock.json', '@typescript', '@weir'].includes(first) ||
    first.startsWith('node-linux-')
  )
    return false;
  if (first === 'koffi' && spareOfNative.has(second)) return false;
  return !spare.test(path) && ![second, ...rest].some((name) => spareFolders.has(name));
}

function npmInstall(folder: string, options: readonly string[]): void {
  const fixed = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, ...fixed, ...options], { cwd: folder });
  else run('npm', [...fixed, ...options], { cwd: folder });
}

/** The same rights for every file, whoever builds with whichever mask. */
function normalise(tree: string, seconds: number): void {
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isFile() && (lstatSync(path).mode & 0o100) !== 0;
    chmodSync(path, entry.isDirectory() || isProgram ? 0o755 : 0o644);
  }
  chmodSync(tree, 0o755);
  chmodSync(join(tree, 'bin/weir'), 0o755);
  run('find', [tree, '-exec', 'touch', '-h', '-d', `@${seconds}`, '{}', '+']);
}
