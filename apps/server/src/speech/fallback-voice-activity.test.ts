import { describe, expect, it } from 'vitest';
import { FallbackVoiceActivity } from './fallback-voice-activity.ts';
import { voice } from './voice.fixture.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const quiet = (seconds: number) => voice([{ seconds, isLoud: false }]);
const loud = (seconds: number) => voice([{ seconds, isLoud: true }]);

type Line = { readonly speech: number } | { readonly utterance: readonly [number, number] };

/** A detector that says what the test wants. */
function detector() {
  const lines: Line[] = [];
  let wake = Promise.withResolvers<void>();
  let isBroken = false;
  const told = async function* () {
    for (;;) {
      for (let line = lines.shift(); line; line = lines.shift()) yield line;
      if (isBroken) throw new Error('gone');
      await wake.promise;
      wake = Promise.withResolvers();
    }
  };
  const state = {
    calls: 0,
    bytes: 0,
    takes: true,
    listen: async () => {
      state.calls++;
      isBroken = false;
      return {
        lines: told(),
        write: (pcm: Buffer) => {
          state.bytes += pcm.length;
          return state.takes;
        },
      };
    },
    async say(line: Line) {
      lines.push(line);
      wake.resolve();
      await turn();
    },
    async break() {
      isBroken = true;
      wake.resolve();
      await turn();
    },
  };
  return state;
}

function heardBy(listen: ConstructorParameters<typeof FallbackVoiceActivity>[1]) {
  const heard: [number, number][] = [];
  const leads: number[] = [];
  const onUtterance = (start: number, end: number, lead: number) => {
    heard.push([start, end]);
    leads.push(lead);
  };
  return { heard, leads, activity: new FallbackVoiceActivity({ onUtterance }, listen) };
}

describe('FallbackVoiceActivity', () => {
  it('detects speech by loudness where there is no better detector', async () => {
    const { heard, activity } = heardBy(async () => undefined);
    activity.push(quiet(1));
    await turn();
    activity.push(loud(1));
    activity.push(quiet(1));
    expect(heard).toHaveLength(1);
    activity.close();
  });

  it('switches detectors in a pause, and counts from there', async () => {
    const built = detector();
    const { heard, leads, activity } = heardBy(built.listen);
    activity.push(quiet(1));
    activity.push(loud(1));
    await turn();
    activity.push(loud(0.5));
    expect(built.bytes).toBe(0);
    activity.push(quiet(1));
    expect(heard).toHaveLength(1);
    const base = 3.5 * 16_000;
    activity.push(quiet(2));
    expect(built.bytes).toBe(64_000);
    await built.say({ speech: 8000 });
    expect(activity.decidedUntil).toBe(base + 8000);
    await built.say({ utterance: [8000, 30_000] });
    expect(heard.at(-1)).toEqual([base + 8000, base + 30_000]);
    // Implausible results are ignored.
    await built.say({ utterance: [0, 9e15] });
    expect(heard.at(-1)).toEqual([base + 30_000, base + 32_000]);
    // Loudness is noticed with some time before it; the other one tells where the voice begins.
    expect(leads).toEqual([3200, 0, 0]);
    activity.close();
  });

  it.each(['break', 'refuse', 'cut'] as const)(
    'continues by loudness after a %s, and tries the better detector again later',
    async (how) => {
      const built = detector();
      const { heard, activity } = heardBy(built.listen);
      activity.push(quiet(0.5));
      await turn();
      activity.push(quiet(1));
      await built.say({ speech: 4000 });
      if (how === 'break') await built.break();
      if (how === 'cut') activity.cut();
      if (how === 'refuse') built.takes = false;
      activity.push(quiet(1));
      // The loudness detector needs some silence to end an utterance; a cut ends it at once.
      const end = 8000 + 16_000 + (how === 'cut' ? 0 : 1600);
      expect(heard).toEqual([[8000 + 4000, end]]);
      built.takes = true;
      activity.push(loud(1));
      activity.push(quiet(1));
      expect(heard).toHaveLength(2);
      for (let n = 0; n < 30; n++) activity.push(quiet(1));
      await turn();
      expect(built.calls).toBe(2);
      activity.close();
    },
  );

  it('detects the end of an utterance while the better detector is killed', async () => {
    const built = detector();
    const { heard, leads, activity } = heardBy(built.listen);
    activity.push(quiet(1));
    await turn();
    activity.push(loud(1));
    await built.say({ speech: 1600 });
    await built.break();
    expect([heard, activity.openFrom, activity.decidedUntil]).toEqual([[], 17_600, 17_600]);
    activity.push(loud(1.5));
    activity.push(quiet(1));
    expect(heard).toEqual([[17_600, expect.closeTo(3.5 * 16_000, -4)]]);
    expect(leads).toEqual([0]);
    activity.close();
  });

  it('keeps the speech just before a kill, and the noise level', async () => {
    const built = detector();
    const { heard, activity } = heardBy(built.listen);
    for (const piece of [quiet(1), quiet(0.5)]) {
      activity.push(piece);
      await turn();
    }
    await built.say({ utterance: [0, 6400] });
    activity.push(loud(0.8));
    activity.push(quiet(0.5));
    activity.push(loud(0.3));
    await built.break();
    // The first was over and not told by anybody; the second goes on, with words that are not as loud.
    expect(heard.slice(1)).toEqual([[expect.closeTo(1.4 * 16_000, -4), expect.closeTo(2.4 * 16_000, -4)]]);
    const softly = loud(1.2);
    for (let at = 0; at < softly.length; at += 2) softly.writeInt16LE(Math.round(softly.readInt16LE(at) / 6), at);
    activity.push(softly);
    activity.push(quiet(1));
    expect(heard.slice(2)).toEqual([[expect.closeTo(2.7 * 16_000, -4), expect.closeTo(4.4 * 16_000, -4)]]);
    activity.close();
  });
});
