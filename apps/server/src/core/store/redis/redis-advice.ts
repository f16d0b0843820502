import type { StoreFault } from '@weir/contract';
import type { RedisConnection } from './redis-connection.ts';

interface Setting {
  readonly name: Exclude<StoreFault, 'away'>;
  readonly value: string;
  readonly otherwise: string;
}

/** What a database has to be set to that keeps what it confirms. */
const needed: readonly Setting[] = [
  { name: 'maxmemory-policy', value: 'noeviction', otherwise: 'settings may be evicted when its memory is full' },
  { name: 'appendonly', value: 'yes', otherwise: 'changes since the last snapshot are lost if it crashes' },
  { name: 'appendfsync', value: 'always', otherwise: 'about one second of changes is lost in a power failure' },
];

/** A setting of the database that is another one. */
interface Risk {
  readonly fault: Setting['name'];
  readonly setting: string;
  readonly instead: string;
  readonly otherwise: string;
}

/** What the database does not promise. Many answer to nobody about their settings, which is no reason not to use them. */
export async function risksOf(connection: Pick<RedisConnection, 'callAll'>): Promise<Risk[]> {
  const answers = await connection.callAll(needed.map(({ name }) => ['CONFIG', 'GET', name]));
  const risks = needed.flatMap(({ name, value, otherwise }, at): Risk[] => {
    const answer = answers[at];
    const found = Array.isArray(answer) ? answer[1] : undefined;
    if (typeof found !== 'string' || found === value) return [];
    return [{ fault: name, setting: `${name} ${found}`, instead: `${name} ${value}`, otherwise }];
  });
  // Of a file that is not written, it does not matter how often.
  const isWritten = risks.every(({ fault }) => fault !== 'appendonly');
  return risks.filter(({ fault }) => isWritten || fault !== 'appendfsync');
}
