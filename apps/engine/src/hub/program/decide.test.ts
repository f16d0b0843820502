import fc from 'fast-check';
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
      'to take a backup that is late rather than none, without a slate',
      view('a', [closed('a'), silent('b', 1500)]),
      cut('b', 'closed'),
      { ...rules, slate: undefined },
    ],
    [
      'to wait without a slate for a backup that has no keyframe yet',
      view('a', [closed('a'), good('b', { state: 'starting' })]),
      stay,
      { ...rules, slate: undefined },
    ],
    [
      'to end without a slate when nothing is left but what does not fit',
      view('a', [closed('a'), unfit('b'), faulty('c', 'black')]),
      { do: 'end' },
      { ...rules, slate: undefined },
    ],
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
    [
      'to leave a slate that was removed, also one that the operator chose',
      view('slate', [good('a', { isSettled: false })], { isHeld: true }),
      cut('a', 'removed'),
      { ...rules, slate: undefined },
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

/** Any moment of a program with up to four inputs. */
const anyInput = fc.record({
  state: fc.constantFrom('absent', 'starting', 'good', 'lost', 'unfit'),
  isClosed: fc.boolean(),
  silentMs: fc.integer({ min: 0, max: 10_000 }),
  goodMs: fc.integer({ min: 0, max: 20_000 }),
  fault: fc.constantFrom('', 'black', 'quiet'),
  isSettled: fc.boolean(),
});
const anyView = fc
  .record({
    inputs: fc.array(anyInput, { minLength: 1, maxLength: 4 }),
    onAir: fc.constantFrom('', 'slate', '0', '1', '2', '3', 'removed'),
    onAirMs: fc.integer({ min: 0, max: 120_000 }),
    armed: fc.constantFrom('', '0', '1', '2'),
    isHeld: fc.boolean(),
    sinceAutomaticMs: fc.integer({ min: 0, max: 30_000 }),
  })
  .map(
    ({ inputs, ...more }): ProgramView => ({
      ...more,
      inputs: inputs.map((input, at) => ({ id: String(at), ...input })),
    }),
  );
const anyRules = fc.record({
  returnMs: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
  leastMs: fc.integer({ min: 0, max: 20_000 }),
  slate: fc.option(
    fc.record({ afterMs: fc.integer({ min: 0, max: 5000 }), mostMs: fc.integer({ min: 0, max: 60_000 }) }),
    {
      nil: undefined,
    },
  ),
});
const always = (claim: (seen: ProgramView, by: DecisionRules, made: ReturnType<typeof decide>) => boolean) =>
  fc.assert(
    fc.property(anyView, anyRules, (seen, by) => claim(seen, by, decide(seen, by))),
    { numRuns: 2000 },
  );
const idsOfGood = ({ inputs, onAir }: ProgramView) =>
  inputs.filter(({ id, state }) => state === 'good' && id !== onAir).map(({ id }) => id);

describe('a program, whatever its inputs do,', () => {
  it('goes only to a good input, to a slate that it has, or to one that is late where nothing else is left', () => {
    always((seen, { slate }, made) => {
      if (made.do !== 'cut' && made.do !== 'arm') return true;
      if (made.to === 'slate') return slate !== undefined && seen.onAir !== 'slate';
      const good = idsOfGood(seen);
      const to = seen.inputs.find(({ id }) => id === made.to);
      return good.length > 0 ? good.includes(made.to) : !slate && to?.id !== seen.onAir && to?.isClosed === false;
    });
  });

  it('goes to another input at once when the one on air is lost and another is good', () => {
    always((seen, _by, made) => {
      const current = seen.inputs.find(({ id }) => id === seen.onAir);
      const isLost = seen.onAir === 'removed' || current?.state === 'lost' || current?.state === 'absent';
      const [first] = idsOfGood(seen);
      return !isLost || first === undefined || (made.do === 'cut' && made.to !== 'slate');
    });
  });

  it('leaves a good input only for a better one that was healthy for long enough, and not while it is held', () => {
    always((seen, { returnMs, leastMs }, made) => {
      const at = seen.inputs.findIndex(({ id }) => id === seen.onAir);
      if (seen.inputs[at]?.state !== 'good' || made.do === 'stay') return true;
      const next = made.do === 'arm' ? seen.inputs.findIndex(({ id }) => id === made.to) : -1;
      const goodMs = seen.inputs[next]?.goodMs ?? -1;
      const isTime = returnMs !== undefined && goodMs >= returnMs && seen.sinceAutomaticMs >= leastMs;
      return !seen.isHeld && next >= 0 && next < at && isTime;
    });
  });

  it('ends only with nothing good to send', () => {
    always((seen, _by, made) => made.do !== 'end' || idsOfGood(seen).length === 0);
  });
});
