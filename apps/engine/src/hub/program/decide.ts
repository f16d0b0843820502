/** State of an input: `good` can be on air now, `lost` was there and is silent or gone, `starting` has no keyframe yet. */
export type InputState = 'absent' | 'starting' | 'good' | 'lost' | 'unfit';

/** Fault of arriving media: black or frozen video, or silence. */
export type Fault = 'black' | 'frozen' | 'quiet';

/** State of an input for the decision. */
export interface InputView {
  readonly id: string;
  readonly state: InputState;
  /** True if the publisher left, false if it is only silent. */
  readonly isClosed: boolean;
  /** Time without a picture; for an input without video, time without audio. */
  readonly silentMs: number;
  /** Time since it last became good. */
  readonly goodMs: number;
  /** Fault of its media, which makes the input lost; empty without one. */
  readonly fault: '' | Fault;
  /** True if the clock of the input is known well enough to cut to it. */
  readonly isSettled: boolean;
}

export interface ProgramView {
  /** Inputs in the order of preference. */
  readonly inputs: readonly InputView[];
  /** Id of an input, `slate`, or empty for nothing. */
  readonly onAir: string;
  /** Time since `onAir` changed. */
  readonly onAirMs: number;
  /** Input whose next keyframe is awaited, or empty. */
  readonly armed: string;
  /** True if an operator chose the input on air, so that no better one replaces it. */
  readonly isHeld: boolean;
  /** Time since the last automatic switch. */
  readonly sinceAutomaticMs: number;
}

export interface DecisionRules {
  /** Time for which a better input must be good before it returns; undefined: only by hand. */
  readonly returnMs: number | undefined;
  /** Least time between automatic switches, unless the input on air is lost. */
  readonly leastMs: number;
  /** Time without any input before the slate, and its longest time; undefined without a slate. */
  readonly slate: { readonly afterMs: number; readonly mostMs: number } | undefined;
}

export const slateId = 'slate';

export type SwitchReason = 'start' | 'closed' | 'silent' | 'return' | 'manual' | 'unfit' | 'removed' | Fault;

export type Decision =
  | { readonly do: 'stay' }
  /** Switches at once, from the cached group of the input. */
  | { readonly do: 'cut'; readonly to: string; readonly reason: SwitchReason }
  /** Switches at the next keyframe of the input. */
  | { readonly do: 'arm'; readonly to: string; readonly reason: SwitchReason }
  /** Ends the stream, because there is nothing to send. */
  | { readonly do: 'end' };

const stay: Decision = { do: 'stay' };

/** Decides which input is on air. Pure: the caller keeps the state. */
export function decide(view: ProgramView, rules: DecisionRules): Decision {
  const { inputs, onAir } = view;
  if (onAir === '') {
    const first = inputs.find(({ state }) => state === 'good');
    return first ? { do: 'cut', to: first.id, reason: 'start' } : stay;
  }
  if (onAir === slateId) return onSlate(view, rules);
  const current = inputs.find(({ id }) => id === onAir);
  if (current?.state === 'good' || current?.state === 'starting') return better(view, rules);
  return failOver(view, rules, current);
}

/** Returns the best other input that is good now. An input whose clock is not known yet is better than none. */
function standIn({ inputs, onAir, armed }: ProgramView): InputView | undefined {
  const good = inputs.filter(({ id, state }) => id !== onAir && state === 'good');
  return good.find(({ id }) => id === armed) ?? good.find(({ isSettled }) => isSettled) ?? good[0];
}

function failOver(view: ProgramView, { slate }: DecisionRules, current: InputView | undefined): Decision {
  const reason = current ? reasonOf(current) : 'removed';
  const next = standIn(view);
  if (next) return { do: 'cut', to: next.id, reason };
  if (slate) {
    const isWaitedFor = current && !current.isClosed && current.state !== 'unfit' && current.fault === '';
    const isTime = !isWaitedFor || current.silentMs >= slate.afterMs;
    return isTime ? { do: 'cut', to: slateId, reason } : stay;
  }
  if (current && !current.isClosed) return stay;
  // A late input may continue at any moment from where it stopped: viewers and forwards stay until then.
  const open = view.inputs.filter(({ state, isClosed, fault }) => !isClosed && state !== 'unfit' && fault === '');
  const late = open.find(({ state }) => state === 'lost');
  if (late) return { do: 'cut', to: late.id, reason };
  return open.length > 0 ? stay : { do: 'end' };
}

function reasonOf({ state, isClosed, fault }: InputView): SwitchReason {
  if (state === 'unfit') return 'unfit';
  if (fault !== '' && !isClosed) return fault;
  return isClosed ? 'closed' : 'silent';
}

function onSlate({ inputs, isHeld, onAirMs, armed }: ProgramView, { slate }: DecisionRules): Decision {
  const good = inputs.filter(({ state }) => state === 'good');
  // The owner removed the slate that is on air.
  if (!slate) return good[0] ? { do: 'cut', to: good[0].id, reason: 'removed' } : { do: 'end' };
  if (isHeld) return stay;
  const next = good.find(({ isSettled }) => isSettled);
  if (next && armed === '') return { do: 'cut', to: next.id, reason: 'return' };
  return slate.mostMs > 0 && onAirMs >= slate.mostMs && good.length === 0 ? { do: 'end' } : stay;
}

function better({ inputs, onAir, armed, isHeld, sinceAutomaticMs }: ProgramView, rules: DecisionRules): Decision {
  const { returnMs, leastMs } = rules;
  if (isHeld || armed !== '' || returnMs === undefined || sinceAutomaticMs < leastMs) return stay;
  const place = inputs.findIndex(({ id }) => id === onAir);
  const next = inputs.slice(0, place).find(({ state, isSettled, goodMs }) => {
    return state === 'good' && isSettled && goodMs >= returnMs;
  });
  return next ? { do: 'arm', to: next.id, reason: 'return' } : stay;
}

/** An input flaps if it is lost again within this time after its return. */
const flapMs = 60_000;
const mostLeastMs = 300_000;
const mostFactor = 64;

const lostReasons: ReadonlySet<SwitchReason> = new Set(['closed', 'silent', 'black', 'frozen', 'quiet']);

/** Time between automatic returns, longer each time that an input does not last. */
export class ReturnPace {
  #factor = 1;
  #last: SwitchReason = 'start';

  leastMs(usualMs: number): number {
    return Math.min(mostLeastMs, usualMs * this.#factor);
  }

  /** Notes a switch away from an input that was on air for this long. */
  note(reason: SwitchReason, onAirMs: number): void {
    const isLost = lostReasons.has(reason);
    if (isLost && this.#last === 'return') {
      this.#factor = onAirMs < flapMs ? Math.min(mostFactor, this.#factor * 2) : 1;
    }
    this.#last = reason;
  }
}
