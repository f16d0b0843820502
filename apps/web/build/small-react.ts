import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Modules of React, and those of Preact that do the same. */
const replaced: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
};

/** Builds pages for viewers with Preact: React alone would weigh more than all the rest of such a page. */
export function smallReact(): Plugin {
  return {
    name: 'weir:small-react',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'viewers',
    resolveId: {
      filter: { id: /^react(?:-dom)?(?:\/(?:client|jsx-runtime))?$/ },
      handler: (id) => {
        const other = replaced[id];
        return other === undefined ? undefined : fileURLToPath(import.meta.resolve(other));
      },
    },
  };
}
