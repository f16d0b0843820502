/** Servers on one store, seen from the one that leads. */
export interface PairView {
  /** Where others reach it. */
  readonly leader: string;
  /** Those who would take over now. */
  standbys(): Promise<string[]>;
}
