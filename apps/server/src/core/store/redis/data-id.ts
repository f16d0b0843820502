import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tells one data directory from another, wherever it is mounted. Made by the first who asks. */
export function readDataId(dataDir: string): string {
  const file = join(dataDir, 'data-id');
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');
  // A power cut may have left it empty.
  if (read() === '') writeFileSync(file, `${randomUUID()}\n`, { mode: 0o600, flush: true });
  return read();
}
