import type { Rule, StreamSeen } from '../rule.ts';

/** Rules about the inputs of a program. */
export const inputRules: readonly Rule<StreamSeen>[] = [
  {
    // The input on air is good, but the better one that would replace it is lost.
    id: 'input-lost',
    find({ facts: { program } }) {
      if (!program || program.isHeld || program.onAir === '') return undefined;
      const { inputs, onAir, onAirAtMs } = program;
      const at = inputs.findIndex(({ id }) => id === onAir);
      const lost = inputs.slice(0, at < 0 ? inputs.length : at).find(({ state }) => state === 'lost');
      return lost && { severity: at < 0 ? 'bad' : 'warn', sinceMs: onAirAtMs, subject: lost.id };
    },
  },
  {
    id: 'input-unfit',
    find({ facts: { program, nowMs, publishedAtMs = nowMs } }) {
      const unfit = program?.inputs.filter(({ state }) => state === 'unfit') ?? [];
      return unfit.map(({ id }) => ({ severity: 'warn', sinceMs: publishedAtMs, subject: id }));
    },
  },
];
