// Makes one file each of the launcher, the planes, the engine's workers and the built-in AI, in the form that takes the least memory: docs/adr/0023-one-file-per-process.md.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const apps = join(import.meta.dirname, '../apps');

/** Loaded late or never, and found by where they lie. */
const external = ['acme-client', 'koffi', 'node-datachannel', /^@fastify\/.*-compiler/, 'light-my-request'];

const assertion = `module.exports = (isTrue, message = 'assertion failed') => {
  if (!isTrue) throw message instanceof Error ? message : new Error(message);
};`;

/**
 * Modules of Node that libraries load for what is never asked of them here, with all that those load in turn: HTTPS and HTTP/2 of Fastify,
 * logs that a thread writes, versions of plugins, words for failed assertions. They are three megabytes of a process.
 */
const spared = new Map([
  ['node:http2', 'module.exports = {};'],
  ['node:https', 'module.exports = {};'],
  ['node:perf_hooks', 'exports.performance = { now: () => process.uptime() * 1000 };'],
  ['thread-stream', 'module.exports = class {};'],
  ['semver', 'exports.satisfies = () => true;'],
  ['worker_threads', 'exports.isMainThread = true;'],
  ['assert', assertion],
  ['node:assert', assertion],
]);
const mark = '\0spared:';
const sparing = {
  name: 'sparing',
  resolveId: (name, importer) => (spared.has(name) && importer?.includes('node_modules') ? mark + name : undefined),
  load: (id) => spared.get(id.startsWith(mark) ? id.slice(mark.length) : ''),
};

const processes = [
  { app: 'weir', entry: 'main' },
  { app: 'engine', entry: 'main' },
  // After the plane's own, which empties the folder.
  { app: 'engine', entry: 'srt-worker' },
  { app: 'engine', entry: 'rtc-worker' },
  { app: 'server', entry: 'main' },
  { app: 'ai', entry: 'main' },
];

for (const { app, entry } of processes) {
  const dir = join(apps, app, 'dist');
  const bundle = await rolldown({
    input: join(apps, app, `src/${entry}.ts`),
    platform: 'node',
    external,
    plugins: [sparing],
    // Its advice is on chunks, of which few are wanted.
    onLog: (level, log, pass) => (level === 'warn' ? undefined : pass(level, log)),
  });
  await bundle.write({
    dir,
    cleanDir: entry === 'main',
    format: 'cjs',
    entryFileNames: `${entry}.cjs`,
    chunkFileNames: '[name]-[hash].cjs',
    comments: false,
    // A text with a single other character takes two bytes for each of its characters, for as long as the process runs.
    charset: 'ascii',
    // The source stays in memory. Names of functions and classes stay, and where they stood is in the map: stacks can be read.
    minify: {
      compress: false,
      mangle: { toplevel: false, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    sourcemap: true,
  });
  await bundle.close();
}
cpSync(join(apps, 'server/src/sources/downloads/only-the-proxy'), join(apps, 'server/dist/only-the-proxy'), {
  recursive: true,
});
