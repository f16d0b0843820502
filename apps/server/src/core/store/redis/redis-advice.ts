import type { Log } from '@weir/plane';
import type { RedisConnection } from './redis-connection.ts';

/** Settings of a database that keeps what it confirms. Many answer to nobody about theirs, which is no reason not to use them. */
const needed: readonly { readonly name: string; readonly value: string; readonly otherwise: string }[] = [
  { name: 'maxmemory-policy', value: 'noeviction', otherwise: 'settings may be thrown away when its memory is full' },
  { name: 'appendonly', value: 'yes', otherwise: 'what was saved since its last snapshot is lost when it crashes' },
  { name: 'appendfsync', value: 'always', otherwise: 'about a second of what was saved is lost in a power cut' },
];

/** Says in the log what the database does not promise. */
export async function adviseOn(connection: RedisConnection, log: Log): Promise<void> {
  for (const { name, value, otherwise } of needed) {
    const answer = await connection.call(['CONFIG', 'GET', name]).catch(() => []);
    const found = Array.isArray(answer) ? answer[1] : undefined;
    if (typeof found !== 'string') return;
    if (found !== value)
      log.warn({ setting: `${name} ${found}`, instead: `${name} ${value}` }, `database: ${otherwise}`);
    // Of a file that is not written, it does not matter how often.
    if (name === 'appendonly' && found !== value) return;
  }
}
