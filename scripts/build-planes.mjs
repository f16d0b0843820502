// Makes one file each of the launcher, the planes, the engine's workers and the built-in AI, in the form that takes the least memory: docs/adr/0023-one-file-per-process.md.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const apps = join(import.meta.dirname, '../apps');

/** Loaded late or never, and found by where they lie. */
const external = ['acme-client', 'koffi', 'node-datachannel', /^@fastify\/.*-compiler/, 'light-my-request'];

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
    // Names stay, and where they stood is in the map: stacks can be read.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true,
  });
  await bundle.close();
}
cpSync(join(apps, 'server/src/sources/downloads/only-the-proxy'), join(apps, 'server/dist/only-the-proxy'), {
  recursive: true,
});
