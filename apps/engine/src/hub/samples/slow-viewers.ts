import type { ClientKind } from '../clients/client-info.ts';
import type { ClientEntry } from '../clients/clients.ts';

/** Lag beyond that of most other viewers of the same protocol from which a viewer counts as slow. */
const slowMs = 2000;

/** Finds the viewers that are furthest behind. Sorts only if there are any. */
export class SlowViewers {
  readonly #byKind = new Map<ClientKind, ClientEntry[]>();
  /** Number of slow viewers, and the lag of the slowest. */
  count = 0;
  worstMs = 0;

  begin(): void {
    this.count = 0;
    this.worstMs = 0;
    for (const entries of this.#byKind.values()) entries.length = 0;
  }

  see(entry: ClientEntry): void {
    entry.behindMs = entry.lag?.();
    entry.isSlow = false;
    if (entry.behindMs === undefined) return;
    this.worstMs = Math.max(this.worstMs, entry.behindMs);
    const { kind } = entry.info;
    const entries = this.#byKind.get(kind);
    if (entries) entries.push(entry);
    else this.#byKind.set(kind, [entry]);
  }

  end(): void {
    if (this.worstMs <= slowMs) return;
    for (const entries of this.#byKind.values()) this.#judge(entries);
  }

  #judge(entries: readonly ClientEntry[]): void {
    const limitMs = usualMs(entries.map(({ behindMs = 0 }) => behindMs)) + slowMs;
    for (const entry of entries) {
      entry.isSlow = (entry.behindMs ?? 0) > limitMs;
      if (entry.isSlow) this.count += 1;
    }
  }
}

/**
 * The median; the lower one of an even number. It is 0 for a single viewer, and has a limit, because viewers must count as slow even if most
 * of them are far behind.
 */
export function usualMs(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const sorted = Float64Array.from(values).sort();
  return Math.min(sorted[(sorted.length - 1) >> 1] ?? 0, slowMs);
}
