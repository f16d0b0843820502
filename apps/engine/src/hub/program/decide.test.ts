import { describe, expect, it } from 'vitest';
import { type DecisionRules, decide, type InputView, type ProgramView } from './decide.ts';

const good = (id: string, more: Partial<InputView> = {}): InputView => ({
  id,
  state: 'good',
  isClosed: false,
  silentMs: 20,
  goodMs: 60_000,
  fault: '',
  isSettled: true,
  ...more,
});
const closed = (id: string) => good(id, { state: 'lost', isClosed: true, silentMs: 30, goodMs: 0 });
const silent = (id: string, silentMs: number) => good(id, { state: 'lost', silentMs, goodMs: 0 });
const faulty = (id: string, fault: InputView['fault']) => good(id, { state: 'lost', fault, goodMs: 0 });
const absent = (id: string) => good(id, { state: 'absent', isClosed: true, goodMs: 0, isSettled: false });
const unfit = (id: string) => good(id, { state: 'unfit' });

const rules: DecisionRules = { returnMs: 5000, leastMs: 10_000, slate: { afterMs: 2000, mostMs: 60_000 } };
const view = (onAir: string, inputs: readonly InputView[], more: Partial<ProgramView> = {}): ProgramView => ({
  inputs,
  onAir,
  onAirMs: 20_000,
  armed: '',
  isHeld: false,
  sinceAutomaticMs: 20_000,
  ...more,
});

const stay = { do: 'stay' };
const cut = (to: string, reason: string) => ({ do: 'cut', to, reason });
const arm = (to: string) => ({ do: 'arm', to, reason: 'return' });

describe('a program decides', () => {
  it.each<[string, ProgramView, object, DecisionRules?]>([
    ['nothing while no input is there', view('', [absent('a'), absent('b')]), stay],
    ['to begin with the best input', view('', [absent('a'), good('b'), good('c')]), cut('b', 'start')],
    ['nothing while the best input is on air', view('a', [good('a'), good('b')]), stay],
    ['to fail over at once when the connection closes', view('a', [closed('a'), good('b')]), cut('b', 'closed')],
    ['to fail over from a black input', view('a', [faulty('a', 'black'), good('b')]), cut('b', 'black')],
    ['to show the slate instead of a frozen input', view('a', [faulty('a', 'frozen')]), cut('slate', 'frozen')],
    ['to fail over from a silent input', view('a', [silent('a', 1010), good('b')]), cut('b', 'silent')],
    ['to pass over an input that does not fit', view('a', [closed('a'), unfit('b'), good('c')]), cut('c', 'closed')],
    [
      'to prefer an input whose clock is known',
      view('a', [closed('a'), good('b', { isSettled: false }), good('c')]),
      cut('c', 'closed'),
    ],
    [
      'to take an input whose clock is not known rather than none',
      view('a', [closed('a'), good('b', { isSettled: false })]),
      cut('b', 'closed'),
    ],
    ['to show the slate at once when the last connection closes', view('a', [closed('a')]), cut('slate', 'closed')],
    ['to wait for the slate while the line is only silent', view('a', [silent('a', 1500)]), stay],
    ['to show the slate when it was silent for long', view('a', [silent('a', 2001)]), cut('slate', 'silent')],
    ['to end without a slate', view('a', [closed('a')]), { do: 'end' }, { ...rules, slate: undefined }],
    [
      'to wait for a silent input without a slate',
      view('a', [silent('a', 9000)]),
      stay,
      { ...rules, slate: undefined },
    ],
    ['to leave the slate for the first input that is settled', view('slate', [good('a')]), cut('a', 'return')],
    ['to stay on the slate until the clock is known', view('slate', [good('a', { isSettled: false })]), stay],
    ['to stay on a slate that the operator chose', view('slate', [good('a')], { isHeld: true }), stay],
    ['to end after the time of the slate', view('slate', [closed('a')], { onAirMs: 60_000 }), { do: 'end' }],
    [
      'not to end a slate without a limit',
      view('slate', [closed('a')], { onAirMs: 9e9 }),
      stay,
      { ...rules, slate: { afterMs: 2000, mostMs: 0 } },
    ],
    ['to return to a better input that is healthy', view('b', [good('a'), good('b')]), arm('a')],
    ['not to return before it was healthy long enough', view('b', [good('a', { goodMs: 4999 }), good('b')]), stay],
    ['not to return twice in a short time', view('b', [good('a'), good('b')], { sinceAutomaticMs: 9999 }), stay],
    ['not to return while the operator holds', view('b', [good('a'), good('b')], { isHeld: true }), stay],
    ['not to return while a switch is armed', view('b', [good('a'), good('b')], { armed: 'a' }), stay],
    [
      'not to return where that is done by hand',
      view('b', [good('a'), good('b')]),
      stay,
      { ...rules, returnMs: undefined },
    ],
    ['never to go to a worse input by itself', view('a', [good('a'), good('b')]), stay],
    [
      'to fail over while the operator holds, soon after another switch',
      view('a', [closed('a'), good('b')], { isHeld: true, sinceAutomaticMs: 10 }),
      cut('b', 'closed'),
    ],
    [
      'to take the armed input at once when the one on air is lost',
      view('a', [closed('a'), good('b'), good('c')], { armed: 'c' }),
      cut('c', 'closed'),
    ],
    ['to leave an input that was removed', view('x', [good('a')]), cut('a', 'removed')],
    ['to leave an input that no longer fits', view('a', [unfit('a'), good('b')]), cut('b', 'unfit')],
  ])('%s', (_what, seen, decision, by = rules) => {
    expect(decide(seen, by)).toEqual(decision);
  });
});
