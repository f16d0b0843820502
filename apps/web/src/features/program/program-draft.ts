import type { BodyOf, Program, ProgramInput, ProgramRow, programApi } from '@weir/contract';
import { programLimits, streamUrlProblem } from '@weir/contract';
import { defaultVhost, isUsableName, type WirePlace } from '@weir/streams';
import { isWholeNumber } from '../../components/settings-form/number-field.tsx';
import { settingsOf } from './program-state.ts';

export const programTemplates = ['slate', 'backup', 'file', 'takeover'] as const;
export type ProgramTemplate = (typeof programTemplates)[number];
type InputKind = ProgramInput['kind'];

/** Input as it is edited. `id` is empty for a new one; `row` tells rows apart. */
export interface InputDraft extends Omit<ProgramInput, 'leastBitrate'> {
  readonly row: string;
  readonly leastBitrate: string;
}

/** Limits of the numbers that are typed. */
export const ruleLimits = {
  failMs: programLimits.failMs,
  slateAfterMs: { least: 0, most: 60_000 },
  slateSeconds: { least: 0, most: programLimits.slateSeconds },
  returnSeconds: { least: 0, most: 3600 },
  leastSeconds: { least: 0, most: 3600 },
  blackSeconds: { least: 0, most: programLimits.faultSeconds },
  frozenSeconds: { least: 0, most: programLimits.faultSeconds },
  quietSeconds: { least: 0, most: programLimits.faultSeconds },
} as const;
export type Rule = keyof typeof ruleLimits;
const ruleNames = Object.keys(ruleLimits) as readonly Rule[];

export interface ProgramDraft {
  /** `app/name`. */
  readonly stream: string;
  readonly isReturning: boolean;
  readonly isConforming: boolean;
  readonly rules: Readonly<Record<Rule, string>>;
  readonly inputs: readonly InputDraft[];
}

const defaultRules: ProgramDraft['rules'] = {
  failMs: '1000',
  slateAfterMs: '2000',
  slateSeconds: '0',
  returnSeconds: '5',
  leastSeconds: '10',
  blackSeconds: '0',
  frozenSeconds: '0',
  quietSeconds: '0',
};

let rows = 0;

export function newInput(kind: InputKind): InputDraft {
  rows += 1;
  return {
    row: `new ${rows}`,
    id: '',
    kind,
    name: '',
    key: '',
    url: '',
    isCold: false,
    stream: '',
    files: [],
    picture: '',
    text: '',
    music: '',
    leastBitrate: '0',
  };
}

const templateInputs: Readonly<Record<ProgramTemplate, readonly InputKind[]>> = {
  slate: ['publisher', 'slate'],
  backup: ['publisher', 'backup', 'slate'],
  file: ['publisher', 'file', 'slate'],
  takeover: ['publisher', 'file', 'slate'],
};

/** A channel that is on air around the clock takes a live encoder when it comes, and stays with it through a bad minute. */
export function draftOf(template: ProgramTemplate, stream: string): ProgramDraft {
  const inputs = templateInputs[template].map(newInput);
  const rules = template === 'takeover' ? { ...defaultRules, returnSeconds: '2', leastSeconds: '0' } : defaultRules;
  return { stream, isReturning: true, isConforming: false, rules, inputs };
}

export function draftFrom(program: ProgramRow): ProgramDraft {
  const { app, stream, isReturning, isConforming, inputs } = program;
  const rules = Object.fromEntries(ruleNames.map((name) => [name, String(program[name])])) as ProgramDraft['rules'];
  return {
    stream: `${app}/${stream}`,
    isReturning,
    isConforming,
    rules,
    inputs: inputs.map((input) => ({ ...input, row: input.id, leastBitrate: String(input.leastBitrate) })),
  };
}

/** Places for another input: before the slate, which is the last. */
export function addInput(inputs: readonly InputDraft[], kind: InputKind): readonly InputDraft[] {
  const added = newInput(kind);
  if (kind === 'slate') return [...inputs, added];
  return [...inputs.filter((one) => one.kind !== 'slate'), added, ...inputs.filter((one) => one.kind === 'slate')];
}

/** Kinds that can still be added. */
export function freeKinds(inputs: readonly InputDraft[]): readonly InputKind[] {
  const kinds: readonly InputKind[] = ['publisher', 'backup', 'pull', 'stream', 'file', 'slate'];
  const isSingle = (kind: InputKind) => kind === 'publisher' || kind === 'slate';
  if (inputs.length >= programLimits.inputs) return [];
  return kinds.filter((kind) => !isSingle(kind) || inputs.every((input) => input.kind !== kind));
}

function placeOf(text: string): WirePlace | undefined {
  const path = text.trim().replace(/^\/+|\/+$/g, '');
  const slash = path.lastIndexOf('/');
  const place = { vhost: defaultVhost, app: path.slice(0, Math.max(0, slash)), stream: path.slice(slash + 1) };
  return isUsableName(place.app) && isUsableName(place.stream) ? place : undefined;
}

export type InputProblem = 'url' | 'stream' | 'files' | 'bitrate';

export interface DraftProblems {
  readonly stream?: true;
  /** Set if a slate is the only input. */
  readonly onlySlate?: true;
  readonly rules: readonly Rule[];
  readonly inputs: Readonly<Record<string, InputProblem>>;
}

export function findProblems(draft: ProgramDraft): DraftProblems | undefined {
  const rules = ruleNames.filter((name) => {
    const { least, most } = ruleLimits[name];
    return !isWholeNumber(draft.rules[name], most, least);
  });
  const inputs = Object.fromEntries(
    draft.inputs.flatMap((input): [string, InputProblem][] => {
      const problem = findInputProblem(input);
      return problem ? [[input.row, problem]] : [];
    }),
  );
  const isNamed = placeOf(draft.stream) !== undefined;
  const onlySlate = draft.inputs.every(({ kind }) => kind === 'slate');
  if (isNamed && !onlySlate && rules.length === 0 && Object.keys(inputs).length === 0) return undefined;
  return { ...(!isNamed && { stream: true }), ...(onlySlate && { onlySlate }), rules, inputs };
}

function findInputProblem({ kind, url, stream, files, leastBitrate }: InputDraft): InputProblem | undefined {
  if (kind === 'pull' && streamUrlProblem(url) !== undefined) return 'url';
  if (kind === 'stream' && placeOf(stream) === undefined) return 'stream';
  if (kind === 'file' && files.length === 0) return 'files';
  if (kind === 'slate' && !isWholeNumber(leastBitrate, programLimits.leastBitrate)) return 'bitrate';
  return undefined;
}

/** Body of the call that saves it. Settings that this form does not show are kept. */
export function toChange(draft: ProgramDraft, saved: ProgramRow | undefined): BodyOf<typeof programApi.save> {
  const place = placeOf(draft.stream) ?? { vhost: defaultVhost, app: '', stream: '' };
  const rules = Object.fromEntries(ruleNames.map((name) => [name, Number(draft.rules[name])])) as Pick<Program, Rule>;
  return {
    ...(saved ? settingsOf(saved) : {}),
    ...(saved ? {} : place),
    ...rules,
    isReturning: draft.isReturning,
    isConforming: draft.isConforming,
    inputs: draft.inputs.map(({ row: _row, id, leastBitrate, ...input }) => ({
      ...input,
      ...(id !== '' && { id }),
      leastBitrate: Number(leastBitrate),
    })),
  } as BodyOf<typeof programApi.save>;
}
