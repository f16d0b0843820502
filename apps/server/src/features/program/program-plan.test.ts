import { Program } from '@weir/contract';
import { defaultVhost } from '@weir/streams';
import { describe, expect, it } from 'vitest';
import { parsePlace, plainArt, planOf, simplePlan } from './program-plan.ts';

const place = { vhost: defaultVhost, app: 'live', stream: 'show' };

describe('the plan of a program', () => {
  const program = Program.parse({
    uuid: 'p',
    ...place,
    inputs: [
      { id: 'publisher', kind: 'publisher' },
      { id: 'other', kind: 'stream', stream: 'hall/two' },
      { id: 'slate', kind: 'slate' },
    ],
  });

  it('has inputs in their order, the slate apart, and no key', () => {
    expect(planOf(program, plainArt)).toEqual({
      ...place,
      isLasting: true,
      inputs: [{ id: 'publisher' }, { id: 'other', source: { vhost: defaultVhost, app: 'hall', stream: 'two' } }],
      failMs: 1000,
      returnMs: 5000,
      leastMs: 10_000,
      isConforming: false,
      slate: { afterMs: 2000, mostMs: 0, ...plainArt },
    });
  });

  it('waits longer for a pull of HLS, whose segments come seconds apart', () => {
    const inputs = ['https://a.example/x.m3u8', 'https://a.example/x.flv'].map((url, index) => {
      return { id: `pull-${index}`, kind: 'pull', url };
    });
    const failMsOf = (failMs: number) =>
      planOf(Program.parse({ ...program, failMs, inputs }), plainArt).inputs.map((input) => input.failMs);
    expect(failMsOf(1000)).toEqual([10_000, undefined]);
    expect(failMsOf(20_000)).toEqual([undefined, undefined]);
  });

  it('returns by hand only where that is set, and has no slate without one', () => {
    const plan = planOf({ ...program, isReturning: false, inputs: program.inputs.slice(0, 1) }, plainArt);
    expect([plan.returnMs, plan.slate]).toEqual([-1, undefined]);
  });
});

it.each([
  ['live/show', place],
  ['/live/show/', place],
  [`${defaultVhost}/live/show`, place],
  ['a.example.com/live/show', { ...place, vhost: 'a.example.com' }],
  ['live/hall/show', { ...place, app: 'live/hall' }],
])('%s names a stream', (text, expected) => {
  expect(parsePlace(text)).toEqual(expected);
});

it('the first slate rule that matches a stream counts, and without one it has no program', () => {
  const rules = [
    { pattern: '/live/s*', seconds: 30 },
    { pattern: '/live/**', seconds: 60 },
  ];
  expect(simplePlan(place, rules)).toMatchObject({ isLasting: false, slate: { mostMs: 30_000 } });
  expect(simplePlan({ ...place, stream: 'one' }, rules)?.slate?.mostMs).toBe(60_000);
  expect(simplePlan({ ...place, app: 'other' }, rules)).toBeUndefined();
});
