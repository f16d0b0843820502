import { randomBytes, randomInt } from 'node:crypto';

/**
 * Ids by which SRS's clients tell one run of a server from the next. Random at each start; they reveal nothing about
 * the machine.
 */
export interface Identity {
  readonly server: string;
  readonly service: string;
  /** Called a process id on the wire. A random number: the real one is nobody's business. */
  readonly pid: string;
}

export function createIdentity(): Identity {
  return {
    server: `vid-${randomText(7)}`,
    service: randomText(8),
    pid: String(randomInt(1000, 4_000_000)),
  };
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}
