/** Streams that this server makes from others: by the place of each, `vhost/app/name`, the places of those that it takes. */
export type MadeFrom = ReadonlyMap<string, readonly string[]>;

/** The way by which a stream would be made from itself; undefined when it would not. */
export function findLoop(start: string, madeFrom: MadeFrom): readonly string[] | undefined {
  const seen = new Set<string>();
  const follow = (place: string, way: readonly string[]): readonly string[] | undefined => {
    for (const next of madeFrom.get(place) ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = follow(next, [...way, next]);
      if (found) return found;
    }
    return undefined;
  };
  return follow(start, [start]);
}

/** Merges both maps; streams of a place in both are joined. */
export function joinMadeFrom(one: MadeFrom, other: MadeFrom): Map<string, readonly string[]> {
  const joined = new Map(one);
  for (const [made, from] of other) joined.set(made, [...(joined.get(made) ?? []), ...from]);
  return joined;
}
