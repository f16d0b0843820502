import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const shape = /^[0-9a-f]{32}$/;

/** Token that a separate SRS sends. */
export const hookTokenFile = (dataDir: string): string => join(dataDir, 'config', 'srs-hook-token');

/** Returns a persistent token, created on the first call with access for this user only. Programs read it from their configuration. */
export function loadOrCreateToken(file: string): string {
  const kept = read(file);
  if (kept !== undefined) return kept;
  // Loaded on demand to keep the launcher small.
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  try {
    writeFileSync(file, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const made = read(file);
  if (made === undefined)
    throw new Error(`${file} contains no valid token; delete it and start again to create a new one`);
  return made;
}

function read(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return shape.test(text) ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
