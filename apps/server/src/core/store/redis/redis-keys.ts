/** Names of keys in the database, all with our prefix. */
export function redisKeys(prefix: string) {
  return {
    /** Settings: a hash for each collection. */
    entries: (collection: string) => `${prefix}:entries:${collection}`,
    collections: `${prefix}:collections`,
    /** Version of this layout, and the id of this set of settings. */
    format: `${prefix}:format`,
    /** Current leader, with an expiry. */
    lease: `${prefix}:lease`,
    /** Standbys with the time of their last attempt to get the lease. */
    standbys: `${prefix}:standbys`,
    /** Number of the current leader. A leader writes only while this is its own number. */
    epoch: `${prefix}:epoch`,
  };
}
