import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './command.ts';
import type { Release } from './tree.ts';

/** Packs a tree so that equal trees give equal bytes. */
export function packTree(tree: string, file: string, release: Release): void {
  const sameEverywhere = ['--sort=name', '--format=ustar', '--owner=0', '--group=0', '--numeric-owner'];
  const mtime = `--mtime=@${release.seconds}`;
  // Without a name and a date of its own.
  const compress = '--use-compress-program=gzip -n -9';
  run('tar', [...sameEverywhere, mtime, compress, '-cf', file, '-C', dirname(tree), basename(tree)]);
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
