import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const shape = /^[0-9a-f]{32}$/;

/** Where the token is that a separate SRS shows. */
export const hookTokenFile = (dataDir: string): string => join(dataDir, 'config', 'srs-hook-token');

/** A token that stays the same: made at the first call, for this user alone. For programs that read it from a configuration of theirs. */
export function loadOrCreateToken(file: string): string {
  const kept = read(file);
  if (kept !== undefined) return kept;
  // Loaded only here: the launcher stays small, and few need this.
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
