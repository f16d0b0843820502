import type { Broadcast } from '@weir/contract';

export interface Recordings {
  has(uuid: string): Promise<boolean>;
}

/** Returns a broadcast with its remaining recordings. Recordings that cannot be checked count as present. */
export async function withLeftRecordings(broadcast: Broadcast, { has }: Recordings): Promise<Broadcast> {
  const all = broadcast.recordings;
  const isThere = await Promise.all(all.map((uuid) => has(uuid).catch(() => true)));
  const recordings = all.filter((_, index) => isThere[index]);
  return { ...broadcast, recordings, deletedRecordings: all.length - recordings.length };
}
