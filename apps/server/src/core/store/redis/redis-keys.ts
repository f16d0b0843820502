/** Names of keys in the database. Nothing of ours is outside the prefix. */
export function redisKeys(prefix: string) {
  return {
    /** Settings: a hash for each collection. */
    entries: (collection: string) => `${prefix}:entries:${collection}`,
    collections: `${prefix}:collections`,
    /** Version of this layout, and an id that tells one set of settings from another. */
    format: `${prefix}:format`,
    /** Current leader, with an expiry. */
    lease: `${prefix}:lease`,
    /** Standbys with the time of their last attempt to get the lease. */
    standbys: `${prefix}:standbys`,
    /** Counts who led so far. A leader writes only while this is its own number. */
    epoch: `${prefix}:epoch`,
  };
}
