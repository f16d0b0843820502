import type { LadderRule } from '@weir/contract';
import { Glob, globPath, type LadderRung, type WirePlace } from '@weir/streams';
import type { Costs } from './rung-costs.ts';

/** Factor on measured costs: later pictures of a stream may be harder to encode than the measured ones. */
const headroom = 1.25;
/** Share of all cores that may be in use, the ladder included. */
const usableShare = 0.85;

/** Returns the first enabled rule whose pattern matches the stream. */
export function ruleOf(rules: readonly LadderRule[], place: Pick<WirePlace, 'app' | 'stream'>): LadderRule | undefined {
  return rules.find(({ enabled, pattern }) => {
    const glob = Glob.parse(pattern);
    return enabled && glob instanceof Glob && glob.matches(globPath(place));
  });
}

/** Rungs smaller than the picture, largest first. */
export function rungsFor(
  rungs: readonly LadderRung[],
  { width, height }: { readonly width: number; readonly height: number },
): LadderRung[] {
  return rungs.filter(({ lines }) => lines < Math.min(width, height)).sort((a, b) => b.lines - a.lines);
}

export function needOf({ decodePercent, rungs }: Costs): number {
  if (rungs.length === 0) return 0;
  return (decodePercent + rungs.reduce((sum, { percent }) => sum + percent, 0)) * headroom;
}

/** CPU that a ladder may use, in percent of a core. `used`: share of all cores in use without it. */
export function freePercent(cores: number, used: number): number {
  return Math.max(0, (usableShare - used) * cores * 100);
}

/** Returns the rungs that fit into the free CPU. The most expensive ones are left out first, so that viewers on slow lines keep theirs. */
export function admit({ decodePercent, rungs }: Costs, free: number): Costs['rungs'] {
  let left = rungs;
  while (left.length > 0 && needOf({ decodePercent, rungs: left }) > free) left = withoutDearest(left);
  return left;
}

export function withoutDearest<Rung extends LadderRung & { readonly percent: number | null }>(
  rungs: readonly Rung[],
): readonly Rung[] {
  const cost = ({ percent, lines }: Rung) => percent ?? lines;
  const dearest = rungs.toSorted((a, b) => cost(b) - cost(a))[0];
  return rungs.filter((rung) => rung !== dearest);
}

/** Words for the need of a ladder and the CPU that is free. */
export function roomText(needPercent: number, free: number): string {
  return `all qualities need ${Math.ceil(needPercent)} % of a core and ${Math.floor(free)} % are free`;
}
