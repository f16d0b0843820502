/** The pair of servers on one store, as the leader sees it. */
export interface PairView {
  /** URL for other nodes. */
  readonly leader: string;
  /** The number of its lease, higher than those before. */
  readonly term: number;
  /** Checks that this server still has the lease. */
  isLeading(): Promise<boolean>;
  /** True if the next leader has the same files. */
  readonly filesShared: boolean;
  /** Nodes that would take over now. */
  standbys(): Promise<string[]>;
}
