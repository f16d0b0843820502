// Makes one file each of the launcher, the planes, the engine's workers and the built-in AI, in the form that takes the least memory: docs/adr/0023-one-bundle-per-process.md.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const apps = join(import.meta.dirname, '../apps');

/** Loaded late or never, and found by where they lie. */
const external = [
  '@redis/client',
  'acme-client',
  'koffi',
  'node-datachannel',
  /^@fastify\/.*-compiler/,
  'light-my-request',
];

const assertion = `module.exports = (isTrue, message = 'assertion failed') => {
  if (!isTrue) throw message instanceof Error ? message : new Error(message);
};`;

/**
 * Modules that a library loads for what it is never asked for here, with all that those load in turn: HTTPS and HTTP/2 of Fastify, logs that
 * a thread writes, versions of plugins, words for failed assertions. They are three megabytes of a process. Each with who does without it:
 * another library that comes to use one gets the real one.
 */
const spared = [
  { name: 'node:http2', by: ['fastify'], code: 'module.exports = {};' },
  { name: 'node:https', by: ['fastify'], code: 'module.exports = {};' },
  {
    name: 'node:perf_hooks',
    by: ['fastify'],
    code: 'exports.performance = { now: () => process.uptime() * 1000 };',
  },
  { name: 'semver', by: ['fastify'], code: 'exports.satisfies = () => true;' },
  { name: 'thread-stream', by: ['pino'], code: 'module.exports = class {};' },
  { name: 'worker_threads', by: ['pino'], code: 'exports.isMainThread = true;' },
  { name: 'assert', by: ['sonic-boom'], code: assertion },
  { name: 'node:assert', by: ['fastify', 'find-my-way'], code: assertion },
];
const mark = '\0spared:';
const sparing = {
  name: 'sparing',
  resolveId: (name, importer = '') =>
    spared.some((module) => module.name === name && module.by.some((library) => importer.includes(`/${library}/`)))
      ? mark + name
      : undefined,
  load: (id) => spared.find(({ name }) => id === mark + name)?.code,
};

const processes = [
  { app: 'weir', entry: 'main' },
  { app: 'engine', entry: 'main' },
  // After the plane's own, which empties the folder.
  { app: 'engine', entry: 'srt-worker' },
  { app: 'engine', entry: 'rtc-worker' },
  { app: 'engine', entry: 'delivery-worker' },
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
    // Warnings about chunk sizes do not apply.
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
cpSync(join(apps, 'server/src/media-sources/downloads/only-the-proxy'), join(apps, 'server/dist/only-the-proxy'), {
  recursive: true,
});
