import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hookTokenFile, loadOrCreateToken } from './hook-token.ts';

it('creates the token once with access for this user only, and never overwrites an invalid file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-token-'));
  mkdirSync(join(dataDir, 'config'));
  const file = hookTokenFile(dataDir);
  const token = loadOrCreateToken(file);
  expect(token).toMatch(/^[0-9a-f]{32}$/);
  expect(loadOrCreateToken(file)).toBe(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, 'something else');
  expect(() => loadOrCreateToken(file)).toThrow('contains no valid token');
});
