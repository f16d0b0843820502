import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt']);
const smallestBytes = 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` beside every file worth it, so that the server only has to choose and send. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'weir:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      // Called after the console and again after the pages, which lie beside it: the first build has emptied the folder.
      const done = new Set(files);
      const wanted = files.filter((path) => compressible.has(extname(path)) && !done.has(`${path}.br`));
      await Promise.all(wanted.map(compress));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < smallestBytes) return;
  const [brotli, gzipped] = await Promise.all([
    toBrotli(bytes, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    toGzip(bytes, { level: zlib.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
