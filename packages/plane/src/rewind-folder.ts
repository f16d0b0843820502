import { createHash } from 'node:crypto';
import type { WirePlace } from '@weir/streams';

/** Folder of what is kept of a stream for rewinding. Names of streams may hold anything, and file names may not. */
export function rewindStreamFolder({ vhost, app, stream }: WirePlace): string {
  return createHash('sha256').update(`${vhost}\n${app}\n${stream}`).digest('hex').slice(0, 32);
}
