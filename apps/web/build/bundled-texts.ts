import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '../../..');

/** Puts the change log beside the console, as the text it is. */
export function bundledTexts(): Plugin {
  return {
    name: 'weir:bundled-texts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const source = await readFile(join(root, 'CHANGELOG.md'));
      this.emitFile({ type: 'asset', fileName: 'changelog.txt', source });
    },
  };
}
