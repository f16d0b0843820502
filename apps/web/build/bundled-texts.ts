import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '../../..');

/** Puts the change log and the pages of the documentation beside the console, as the text they are. */
export function bundledTexts(): Plugin {
  return {
    name: 'weir:bundled-texts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const emit = async (fileName: string, path: string) =>
        this.emitFile({ type: 'asset', fileName, source: await readFile(join(root, path)) });
      await emit('changelog.txt', 'CHANGELOG.md');
      await emit('docs/readme.txt', 'README.md');
      await emit('docs/configuration.txt', 'docs/configuration.md');
      for (const name of await readdir(join(root, 'docs/features'))) {
        if (/^[a-z].*\.md$/.test(name)) await emit(`docs/${name.replace(/md$/, 'txt')}`, `docs/features/${name}`);
      }
    },
  };
}
