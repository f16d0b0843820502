import { expect, it } from 'vitest';
import { join, mix, noise, voice } from './sounds.fixture.ts';
import { UtteranceRecorder } from './utterance-recorder.ts';
import type { OpenSpeech, RecordedUtterance } from './voice-types.ts';

function recorder(longestSeconds = 59) {
  const utterances: RecordedUtterance[] = [];
  const changes: boolean[] = [];
  const open: OpenSpeech[] = [];
  let ms = 0;
  const made = new UtteranceRecorder({
    onUtterance: (utterance) => utterances.push(utterance),
    onRecording: (isRecording) => changes.push(isRecording),
    onOpen: (speech) => open.push(speech),
    onLevel: () => undefined,
    isPlaying: () => false,
    nowMs: () => ms,
    longestSeconds,
  });
  /** Pushes chunks whose size does not match our frames, as sound cards do. */
  const hear = (samples: Float32Array) => {
    for (let at = 0; at < samples.length; at += 341) {
      const piece = samples.subarray(at, at + 341);
      ms += piece.length / 16;
      made.push(piece);
    }
  };
  return { made, utterances, changes, open, hear };
}

/** Decodes the samples as the server does. */
function samplesOf({ audio }: Pick<RecordedUtterance, 'audio'>): Int16Array {
  const bytes = Uint8Array.from(atob(audio), (sign) => sign.charCodeAt(0));
  expect(String.fromCharCode(...bytes.subarray(0, 4))).toBe('RIFF');
  return new Int16Array(bytes.buffer, 44);
}

/** Values that encode the time of each sample. */
const ramp = (from: number, ms: number) =>
  Float32Array.from({ length: ms * 16 }, (_, at) => ((from * 16 + at) % 30_000) / 32_767);

it('includes the speech before the press and after the release', () => {
  const { made, utterances, changes, hear } = recorder();
  hear(ramp(0, 1000));
  made.begin();
  hear(ramp(1000, 400));
  made.end();
  hear(ramp(1400, 600));
  expect(changes).toEqual([true, false]);
  const [utterance] = utterances;
  if (!utterance) expect.unreachable();
  const samples = samplesOf(utterance);
  // Frames are 20 ms: an unfinished frame at a press belongs to the next.
  expect((samples[0] ?? 0) / 16).toBeGreaterThanOrEqual(680 - 1);
  expect((samples[0] ?? 0) / 16).toBeLessThanOrEqual(720);
  expect((samples.at(-1) ?? 0) / 16).toBeGreaterThanOrEqual(1640);
  expect(utterance.seconds).toBeCloseTo(0.95, 1);
  expect(utterance.heldMs).toBeCloseTo(400, -2);
  // No sample is missing in between.
  expect(samples.every((sample, at) => at === 0 || sample - (samples[at - 1] ?? 0) === 1)).toBe(true);
});

it('continues after a quick second press, and drops a cancelled utterance', () => {
  const { made, utterances, hear } = recorder();
  made.begin();
  hear(voice(500, -20));
  made.end();
  hear(voice(100, -20));
  made.begin();
  hear(voice(500, -20));
  made.end();
  hear(noise(400, -60));
  expect(utterances).toHaveLength(1);
  expect(utterances[0]?.seconds).toBeGreaterThan(1.2);
  made.begin();
  hear(voice(500, -20));
  made.cancel();
  hear(noise(1000, -60));
  expect(utterances).toHaveLength(1);
});

it('distinguishes a muted microphone from a voice', () => {
  const { made, utterances, hear } = recorder();
  for (const sound of [noise(900, -80), voice(900, -30)]) {
    made.begin();
    hear(sound);
    made.end();
    hear(noise(400, -80));
  }
  expect(utterances.map(({ hasVoice }) => hasVoice)).toEqual([false, true]);
});

it('splits a long speech without losing a sample', () => {
  const { made, utterances, hear } = recorder(2);
  made.begin();
  hear(ramp(0, 1875));
  hear(ramp(0, 1875));
  hear(ramp(0, 1875));
  made.end();
  hear(ramp(0, 300));
  const whole = utterances.flatMap((utterance) => [...samplesOf(utterance)]);
  expect(utterances.length).toBeGreaterThan(2);
  expect(Math.max(...utterances.map(({ seconds }) => seconds))).toBeLessThanOrEqual(2);
  expect(whole.every((sample, at) => at === 0 || sample === ((whole[at - 1] ?? 0) + 1) % 30_000)).toBe(true);
});

it('detects whole utterances hands-free, without trailing silence', () => {
  const { made, utterances, changes, hear } = recorder();
  made.isHandsFree = true;
  const quiet = (ms: number) => new Float32Array(ms * 16);
  const speech = join(quiet(2000), voice(1200, -24), quiet(1500), voice(800, -24), quiet(1500));
  hear(mix(noise(7000, -60), speech));
  expect(changes).toEqual([true, false, true, false]);
  expect(utterances).toHaveLength(2);
  expect(utterances.every(({ hasVoice }) => hasVoice)).toBe(true);
  expect(utterances[0]?.seconds).toBeGreaterThan(1.2 + 0.3 + 0.2);
  expect(utterances[0]?.seconds).toBeLessThan(1.2 + 0.62 + 0.5);
  expect(utterances[0]?.endedAtMs).toBeGreaterThan(3050);
  expect(utterances[0]?.endedAtMs).toBeLessThan(3350);
  made.isHandsFree = false;
  hear(mix(noise(3000, -60), voice(1000, -24)));
  expect(utterances).toHaveLength(2);
});

const withNoise = (speech: Float32Array) => mix(noise(speech.length / 16, -60), speech);
const silence = (ms: number) => new Float32Array(ms * 16);

it('reports ongoing speech each second and at each pause, until it is recognized', () => {
  const { made, utterances, open, hear } = recorder();
  hear(noise(3000, -60));
  made.begin();
  hear(withNoise(voice(2500, -24)));
  expect(open.map(({ isPause, seconds }) => [isPause, Math.round(seconds)])).toEqual([
    [false, 1],
    [false, 2],
  ]);
  expect(samplesOf({ audio: open.at(-1)?.audio(1) ?? '' })).toEqual(
    samplesOf({ audio: open.at(-1)?.audio() ?? '' }).slice(-16_000),
  );
  hear(withNoise(join(silence(800), voice(900, -24))));
  const pauses = open.filter(({ isPause }) => isPause);
  expect(pauses.map(({ seconds }) => Math.round(seconds))).toEqual([3]);
  const [pause] = pauses;
  if (!pause) expect.unreachable();
  // Only recognized: the utterance stays whole, and the next report starts after it.
  made.markTranscribed(pause, false);
  hear(withNoise(voice(1200, -24)));
  expect(open.at(-1)?.seconds).toBeLessThan(2.5);
  made.end();
  hear(noise(600, -60));
  expect(utterances[0]?.seconds).toBeGreaterThan(5);
  // Too late: it belonged to another utterance.
  made.begin();
  hear(withNoise(voice(900, -24)));
  made.markTranscribed(pause, true);
  made.end();
  hear(noise(600, -60));
  expect(utterances[1]?.seconds).toBeGreaterThan(1);
});

it('emits only the audio that is not recognized yet', () => {
  const { made, utterances, open, hear } = recorder();
  hear(noise(3000, -60));
  made.begin();
  hear(withNoise(join(voice(1500, -24), silence(800))));
  const pause = open.find(({ isPause }) => isPause);
  if (!pause) expect.unreachable();
  made.markTranscribed(pause, true);
  hear(withNoise(voice(1000, -24)));
  made.end();
  hear(noise(600, -60));
  expect(utterances[0]).toMatchObject({ hasVoice: true });
  expect(utterances[0]?.seconds).toBeLessThan(1.8);
  made.begin();
  hear(withNoise(join(voice(1500, -24), silence(560))));
  const last = open.findLast(({ isPause }) => isPause);
  if (!last) expect.unreachable();
  made.markTranscribed(last, true);
  made.end();
  hear(noise(600, -60));
  expect(utterances[1]).toMatchObject({ hasVoice: false });
  expect(utterances[1]?.heldMs).toBeGreaterThan(2000);
});

it('reports no pauses hands-free, where each sentence is sent', () => {
  const { made, utterances, open, hear } = recorder();
  made.isHandsFree = true;
  hear(withNoise(join(silence(2000), voice(2500, -24), silence(1500))));
  expect(utterances).toHaveLength(1);
  expect(open.length).toBeGreaterThan(0);
  expect(open.some(({ isPause }) => isPause)).toBe(false);
});
