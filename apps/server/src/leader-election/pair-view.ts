/** Servers on one store, seen from the one that leads. */
export interface PairView {
  /** Where others reach it. */
  readonly leader: string;
  /** The number of its lease, higher than those before. */
  readonly term: number;
  /** Asks whether the lease is still its own. */
  isLeading(): Promise<boolean>;
  /** Whether the next one that leads has the files of this one. */
  readonly filesShared: boolean;
  /** Those who would take over now. */
  standbys(): Promise<string[]>;
}
