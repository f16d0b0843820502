import type { ProgramInput, ProgramRow } from '@weir/contract';
import type { Tone } from '../../components/ui/feedback/status-label.tsx';

type State = ProgramRow['states'][number];

/** States of an input in the console. Each has a text in both languages, some have a remedy. */
const conditions = {
  ready: 'ok',
  good: 'ok',
  changes: 'warn',
  conformed: 'ok',
  starting: 'busy',
  standby: 'off',
  absent: 'off',
  lost: 'bad',
  silent: 'bad',
  black: 'bad',
  frozen: 'bad',
  quiet: 'bad',
  unfit: 'bad',
  unknown: 'off',
} as const satisfies Record<string, Tone>;
export type InputCondition = keyof typeof conditions;

/** An input with an open connection but without frames is silent. */
export function conditionOf(input: ProgramInput, state: State | undefined): InputCondition {
  if (input.kind === 'slate') return 'ready';
  if (!state) return 'unknown';
  if (state.state === 'unfit' || state.fit === 'unfit') return 'unfit';
  if (state.fault !== '') return state.fault;
  if (state.state === 'absent') return input.isCold ? 'standby' : 'absent';
  if (state.state === 'lost') return state.protocol === '' ? 'lost' : 'silent';
  if (state.state === 'starting') return 'starting';
  return state.fit === 'changes' || state.fit === 'conformed' ? state.fit : 'good';
}

export function toneOf(condition: InputCondition): Tone {
  return conditions[condition];
}

/** True if a switch to this input would show viewers something unintended. */
export function cutsProgram(condition: InputCondition): boolean {
  return !['ready', 'good', 'changes', 'conformed', 'standby'].includes(condition);
}

export type ProgramCondition = 'off' | 'waiting' | 'main' | 'backup' | 'slate';

/** Input on air: the first, another one, the slate, or nothing. */
export function programCondition({ enabled, inputs, onAir }: ProgramRow): ProgramCondition {
  if (!enabled) return 'off';
  const current = inputs.find(({ id }) => id === onAir);
  if (!current) return 'waiting';
  if (current.kind === 'slate') return 'slate';
  return current === inputs[0] ? 'main' : 'backup';
}

/** The settings of a program, as they are saved. */
export function settingsOf({
  onAir: _onAir,
  onAirSince: _since,
  armed: _armed,
  isHeld: _held,
  states: _states,
  switches: _switches,
  ...settings
}: ProgramRow) {
  return settings;
}

/** Inputs with one moved to another place. The slate stays last. */
export function moveInput<Input extends { readonly kind: string }>(
  inputs: readonly Input[],
  from: number,
  to: number,
): readonly Input[] {
  const moved = inputs[from];
  const places = inputs.filter(({ kind }) => kind !== 'slate').length;
  if (!moved || moved.kind === 'slate' || to < 0 || to >= places || to === from) return inputs;
  const rest = inputs.filter((_input, place) => place !== from);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}
