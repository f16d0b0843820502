import type { RedisAddress } from '@weir/plane';
import { openPrimary } from './primary-connection.ts';
import type { RedisConnection, Reply } from './redis-connection.ts';

/** A text, or the texts of a hash by their names. */
export type KeyValue = string | Readonly<Record<string, string>>;

/** Keys of another program in the database, whose names begin so. Nothing is written; those of other types are left out. */
export async function readKeys(address: RedisAddress, begin: string): Promise<ReadonlyMap<string, KeyValue>> {
  const connection = await openPrimary(address);
  try {
    const found = new Map<string, KeyValue>();
    for (const name of (await namesOf(connection, begin)).sort()) {
      const type = await connection.call(['TYPE', name]);
      if (type === 'string') found.set(name, String(await connection.call(['GET', name])));
      if (type === 'hash') found.set(name, hashOf(await connection.call(['HGETALL', name])));
    }
    return found;
  } finally {
    connection.close();
  }
}

async function namesOf(connection: RedisConnection, begin: string): Promise<string[]> {
  const names = new Set<string>();
  let cursor = '0';
  do {
    const answer = await connection.call(['SCAN', cursor, 'MATCH', `${begin}*`, 'COUNT', 1000]);
    const [next, some] = answer as readonly [string, readonly string[]];
    for (const name of some) names.add(name);
    cursor = next;
  } while (cursor !== '0');
  return [...names];
}

function hashOf(reply: Reply): Record<string, string> {
  const flat = Array.isArray(reply) ? reply : [];
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n], String(flat[2 * n + 1])]));
}
