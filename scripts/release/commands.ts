// Bundles the commands of scripts/ for a release, which has no sources and nothing to set up.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '../..');
const names = [
  'apply-update',
  'backup',
  'demo',
  'doctor',
  'health',
  'install-ai',
  'migrate',
  'old-settings',
  'reset-password',
  'restore',
  'srs-config',
];
const setUp = '\0set-up';
/** Replacements for what commands import from the set-up. Paths in their options begin where they were called. */
const substitutes = {
  root: 'process.cwd()',
  setUp: '() => undefined',
  isNodeNewEnough: '() => true',
  ensureConsole: '() => undefined',
  ensurePlanes: '() => undefined',
};
const stub = Object.entries(substitutes).map(([name, value]) => `export const ${name} = ${value};`);

const bundle = await rolldown({
  input: Object.fromEntries(names.map((name) => [name, join(root, `scripts/${name}.mjs`)])),
  platform: 'node',
  external: ['@redis/client', 'acme-client', 'koffi', 'node-datachannel'],
  plugins: [
    {
      name: 'nothing-to-set-up',
      resolveId: (name) => (name === './setup.mjs' ? setUp : undefined),
      load: (id) => (id === setUp ? stub.join('\n') : undefined),
    },
  ],
  onLog: (level, log, pass) => (level === 'warn' ? undefined : pass(level, log)),
});
await bundle.write({
  dir: join(root, 'apps/weir/commands'),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await bundle.close();
