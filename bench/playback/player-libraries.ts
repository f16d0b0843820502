import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Shaka takes 86 MB, so it is no dependency. */
const folder = join(root, '.cache/bench/players');

const files = {
  'hls.js': join(root, 'node_modules/hls.js/dist/hls.min.js'),
  Shaka: join(folder, 'node_modules/shaka-player/dist/shaka-player.compiled.js'),
} as const;

export type PlayerLibrary = keyof typeof files;

/** Script of a player library; Shaka comes from npm when it is needed first. */
export function readPlayerLibrary(name: PlayerLibrary): string {
  const file = files[name];
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', 'shaka-player'], { cwd: folder });
  }
  return readFileSync(file, 'utf8');
}
