import type { Plugin, Rolldown } from 'vite';

const page = '/index.html';
const first = 'src/lib/browser/prefetch.ts';

/** Code that the first script has fetched by name, and the modules it begins with. */
const parts: Readonly<Record<string, RegExp>> = {
  en: /src\/locales\/en\.ts$/,
  zh: /src\/locales\/zh\.ts$/,
  overview: /src\/(app\/scenario-page|features\/system\/overview\/overview-tab)\.tsx$/,
  // The page itself, and what features add to it.
  stream:
    /src\/(app\/scenario-page|features\/(live\/live-tab|streams\/page\/stream-page|program\/program-panel|[\w-]+\/[\w-]+-(action|feed|badge)))\.tsx$/,
};

/** Puts the script into the page of the console that runs by itself, without waiting for all the rest, and tells it the names of files. */
export function firstScript(): Plugin {
  let base = '/';
  return {
    name: 'weir:first-script',
    configResolved: (config) => {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path, bundle }) => {
        if (path !== page) return [];
        const attrs = bundle ? builtScript(bundle, base) : { src: base + first };
        const all = { type: 'module', async: true, crossorigin: true, ...attrs };
        return [{ tag: 'script', attrs: all, injectTo: 'head-prepend' }];
      },
    },
  };
}

function builtScript(bundle: Rolldown.OutputBundle, base: string): Record<string, string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const chunkOf = (path: string) => {
    const chunk =
      chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(path)) ??
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(path)));
    if (!chunk) throw new Error(`the build has no ${path}`);
    return chunk;
  };
  const withImports = (name: string): string[] => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    return [name, ...(chunk?.imports.flatMap(withImports) ?? [])];
  };
  // The page names these itself.
  const named = new Set(withImports(chunkOf(page.slice(1)).fileName));
  const stylesOf = (name: string) => [
    ...(chunks.find(({ fileName }) => fileName === name)?.viteMetadata?.importedCss ?? []),
  ];
  const filesOf = (begins: RegExp) => {
    const entries = chunks.filter(({ facadeModuleId }) => begins.test(facadeModuleId ?? ''));
    if (entries.length === 0) throw new Error(`the build has no ${begins}`);
    const scripts = [...new Set(entries.flatMap(({ fileName }) => withImports(fileName)))].filter(
      (name) => !named.has(name),
    );
    return [...scripts, ...new Set(scripts.flatMap(stylesOf))].map((name) => base + name);
  };
  const files = Object.entries(parts).map(([name, begins]) => [name, filesOf(begins)]);
  return { src: base + chunkOf(first).fileName, 'data-parts': JSON.stringify(Object.fromEntries(files)) };
}
