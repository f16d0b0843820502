import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, '../../../CHANGELOG.md');

/** Puts the change log beside the console, as the text it is. */
export function changeLog(): Plugin {
  return {
    name: 'weir:change-log',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'changelog.txt', source: await readFile(source) });
    },
  };
}
