import type { BodyOf, LadderRule, ladderApi } from '@weir/contract';
import { Glob, ladderLimits } from '@weir/streams';

/** A rule as it is edited. */
export interface LadderDraft
  extends Pick<LadderRule, 'pattern' | 'enabled' | 'when' | 'hasAudioOnly' | 'isForced' | 'encoder' | 'preset'> {
  readonly rungs: readonly RungDraft[];
}

interface RungDraft {
  readonly lines: number;
  /** Bitrate as typed. */
  readonly kbps: string;
}

export type LadderProblem = 'pattern' | 'none' | 'same' | `kbps-${number}`;

/** Sizes of sources, with the sizes of usual qualities below them. */
const presets: Readonly<Record<number, readonly number[]>> = {
  2160: [1080, 720, 480],
  1080: [720, 480, 360],
  720: [480, 360, 240],
  480: [360, 240],
};
/** Usual bitrates by size. */
const usualKbps: Readonly<Record<number, number>> = {
  1440: 7000,
  1080: 4500,
  720: 2500,
  540: 1600,
  480: 1200,
  360: 700,
  240: 350,
  144: 150,
};

/** Sizes of sources with a preset, the largest first. */
export const sourceSizes = Object.keys(presets)
  .map(Number)
  .sort((a, b) => b - a);
/** Sizes to choose from. */
export const rungSizes = [1440, 1080, 720, 540, 480, 360, 240, 144];

const fallbackKbps = 500;

/** The qualities of a preset. */
export function presetRungs(source: number): RungDraft[] {
  return (presets[source] ?? []).map(newRung);
}

export function newRung(lines: number): RungDraft {
  return { lines, kbps: String(usualKbps[lines] ?? fallbackKbps) };
}

/** Preset with exactly these sizes; undefined if the qualities are others. */
export function presetOf({ rungs }: LadderDraft): number | undefined {
  const text = rungs.map(({ lines }) => lines).join();
  return sourceSizes.find(
    (source) =>
      presetRungs(source)
        .map(({ lines }) => lines)
        .join() === text,
  );
}

export const blankLadder: LadderDraft = {
  pattern: '/live/*',
  enabled: true,
  when: 'always',
  hasAudioOnly: true,
  isForced: false,
  encoder: '',
  preset: 'superfast',
  rungs: presetRungs(720),
};

export function toLadderDraft({ id: _id, rungs, ...rule }: LadderRule): LadderDraft {
  return { ...rule, rungs: rungs.map(({ lines, kbps }) => ({ lines, kbps: String(kbps) })) };
}

export function toLadderChange(
  { rungs, ...draft }: LadderDraft,
  id: string | undefined,
): BodyOf<typeof ladderApi.save> {
  return { ...draft, rungs: toRungs(rungs), ...(id !== undefined && { id }) };
}

export function toRungs(rungs: readonly RungDraft[]): { lines: number; kbps: number }[] {
  return rungs.map(({ lines, kbps }) => ({ lines, kbps: parseKbps(kbps) }));
}

export function findLadderProblems({ pattern, rungs }: LadderDraft): ReadonlySet<LadderProblem> {
  const problems = new Set<LadderProblem>();
  if (pattern.trim() === '' || typeof Glob.parse(pattern.trim()) === 'string') problems.add('pattern');
  return new Set([...problems, ...findRungProblems(rungs)]);
}

export function findRungProblems(rungs: readonly RungDraft[]): ReadonlySet<LadderProblem> {
  const { least, most } = ladderLimits.kbps;
  const problems = new Set<LadderProblem>();
  if (rungs.length === 0) problems.add('none');
  if (new Set(rungs.map(({ lines }) => lines)).size < rungs.length) problems.add('same');
  for (const [place, { kbps }] of rungs.entries()) {
    const number = parseKbps(kbps);
    if (!(number >= least && number <= most)) problems.add(`kbps-${place}`);
  }
  return problems;
}

function parseKbps(text: string): number {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : Number.NaN;
}
