import { describe, expect, it } from 'vitest';
import { anInput, aProgram, aState } from './program-row.fixture.ts';
import { conditionOf, cutsProgram, moveInput, programCondition, settingsOf } from './program-state.ts';

describe('the condition of an input', () => {
  it.each([
    ['good', {}],
    ['changes', { fit: 'changes' }],
    ['conformed', { fit: 'conformed' }],
    ['unfit', { state: 'unfit', fit: 'unfit' }],
    ['absent', { state: 'absent', protocol: '' }],
    ['starting', { state: 'starting' }],
    ['lost', { state: 'lost', protocol: '' }],
    ['silent', { state: 'lost', protocol: 'rtmp' }],
    ['black', { state: 'lost', fault: 'black' }],
    ['frozen', { state: 'lost', fault: 'frozen' }],
    ['quiet', { state: 'lost', fault: 'quiet' }],
  ] as const)('is %s for %j', (condition, facts) => {
    expect(conditionOf(anInput('backup'), aState('backup', facts))).toBe(condition);
  });

  it('is standby for a cold pull, ready for a slate and unknown without the engine', () => {
    const absent = aState('pull', { state: 'absent', protocol: '' });
    expect(conditionOf(anInput('pull', { isCold: true }), absent)).toBe('standby');
    expect(conditionOf(anInput('slate'), undefined)).toBe('ready');
    expect(conditionOf(anInput('publisher'), undefined)).toBe('unknown');
  });

  it('needs a confirmation before a switch only where viewers would lose the video', () => {
    expect(['good', 'changes', 'ready', 'standby'].map((one) => cutsProgram(one as 'good'))).toEqual(
      Array(4).fill(false),
    );
    expect(['absent', 'lost', 'silent', 'black', 'unfit'].map((one) => cutsProgram(one as 'lost'))).toEqual(
      Array(5).fill(true),
    );
  });
});

describe('a program', () => {
  it.each([
    ['main', {}],
    ['backup', { onAir: 'backup' }],
    ['slate', { onAir: 'slate' }],
    ['waiting', { onAir: '' }],
    ['off', { enabled: false }],
  ] as const)('is %s with %j', (condition, facts) => {
    expect(programCondition(aProgram(facts))).toBe(condition);
  });

  it('moves its inputs, but never the slate and nothing behind it', () => {
    const { inputs } = aProgram();
    const kinds = (from: number, to: number) => moveInput(inputs, from, to).map(({ kind }) => kind);
    expect(kinds(0, 1)).toEqual(['backup', 'publisher', 'slate']);
    for (const [from, to] of [
      [2, 0],
      [0, 2],
      [0, -1],
      [1, 1],
    ] as const) {
      expect(moveInput(inputs, from, to)).toBe(inputs);
    }
  });

  it('is saved without its state, and with settings of a newer server', () => {
    const saved = settingsOf({ ...aProgram(), fromTomorrow: 1 } as ReturnType<typeof aProgram>);
    expect(saved).toMatchObject({ uuid: 'p1', fromTomorrow: 1 });
    expect(Object.keys(saved)).not.toContain('states');
  });
});
