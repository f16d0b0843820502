/** Names of keys in the database. Nothing of ours is outside the prefix. */
export function redisKeys(prefix: string) {
  return {
    /** What is set: a hash for each collection. */
    entries: (collection: string) => `${prefix}:entries:${collection}`,
    collections: `${prefix}:collections`,
    /** Version of this layout, and an id that tells one set of settings from another. */
    format: `${prefix}:format`,
    /** Who leads, for as long as it says so. */
    lease: `${prefix}:lease`,
    /** Who waits for the lease, each with the moment it last asked for it. */
    standbys: `${prefix}:standbys`,
    /** Counts who led so far. A leader writes only while this is its own number. */
    epoch: `${prefix}:epoch`,
  };
}
