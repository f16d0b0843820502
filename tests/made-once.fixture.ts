import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../node_modules/.cache/weir-tests/media');

/**
 * File with the output of ffmpeg for arguments that give the same each time. Encoded once and kept for every later test and run, so it must
 * not be changed.
 */
export function madeOnce(args: readonly string[], extension: string): string {
  const name = createHash('sha256').update(args.join('\n')).digest('hex').slice(0, 16);
  const file = join(folder, `${name}.${extension}`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Another process may create the same file at the same time; the last one replaces it with equal content.
  const making = join(folder, `${name}.${process.pid}.${extension}`);
  execFileSync('ffmpeg', ['-v', 'error', ...args, '-y', making]);
  renameSync(making, file);
  return file;
}
