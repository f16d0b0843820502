import { randomBytes, randomInt } from 'node:crypto';

/** Ids with which SRS's clients detect a restart of the server. Random at each start; they reveal nothing about the machine. */
export interface Identity {
  readonly server: string;
  readonly service: string;
  /** Called a process id on the wire, but random, because the real one stays private. */
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
