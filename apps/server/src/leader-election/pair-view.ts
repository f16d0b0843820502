/** Servers on one store, seen from the one that leads. */
export interface PairView {
  /** URL for other nodes. */
  readonly leader: string;
  /** The number of its lease, higher than those before. */
  readonly term: number;
  /** Asks whether the lease is still its own. */
  isLeading(): Promise<boolean>;
  /** True if the next leader has the same files. */
  readonly filesShared: boolean;
  /** Nodes that would take over now. */
  standbys(): Promise<string[]>;
}
