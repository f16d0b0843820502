import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { FaultMeter, type Look } from './fault-meter.ts';
import { decodeArgs } from './fault-watch.ts';

const limits = { blackSeconds: 4, frozenSeconds: 6, quietSeconds: 8 };
const gray = (level: number) => new Uint8Array(64 * 36).fill(level);
const noisy = (level: number, seed: number) => gray(level).map((each, at) => each + ((at * 7 + seed * 13) % 20));

/** A look each second. */
function faults(looks: readonly Partial<Look>[], given = limits): string[] {
  const meter = new FaultMeter();
  return looks.map((look, second) => meter.add({ keyframeMs: second * 1000, ...look }, second * 1000, given));
}
const last = (looks: readonly Partial<Look>[], given = limits) => faults(looks, given).at(-1);
const seconds = (count: number, look: (second: number) => Partial<Look>) =>
  Array.from({ length: count }, (_each, second) => look(second));

describe('an input', () => {
  it('is black after its time, and no more with the first bright keyframe', () => {
    const black = seconds(5, () => ({ pixels: gray(16) }));
    expect(faults(black)).toEqual(['', '', '', '', 'black']);
    expect(last([...black, { pixels: gray(120) }])).toBe('');
  });

  it('is frozen when new keyframes show the same, also where the encoder rounds them otherwise', () => {
    const frozen = seconds(7, (second) => ({
      pixels: gray(100).map((level, at) => level + ((at + second) % 9 === 0 ? 1 : 0)),
    }));
    expect(last(frozen)).toBe('frozen');
    expect(last(seconds(20, (second) => ({ pixels: noisy(100, second) })))).toBe('');
  });

  it('is not frozen while there is only one keyframe', () => {
    expect(last(seconds(20, () => ({ pixels: gray(100), keyframeMs: 0 })))).toBe('');
  });

  it('is silent after its time, and not where it has no audio', () => {
    expect(last(seconds(9, () => ({ loudestDb: -91 })))).toBe('quiet');
    expect(last(seconds(9, (second) => ({ loudestDb: second === 5 ? -30 : -91 })))).toBe('');
    expect(last(seconds(9, () => ({})))).toBe('');
  });

  it('has no fault that its owner did not ask for', () => {
    const none = { blackSeconds: 0, frozenSeconds: 0, quietSeconds: 0 };
    expect(
      last(
        seconds(99, () => ({ pixels: gray(0), loudestDb: -91 })),
        none,
      ),
    ).toBe('');
  });
});

it.each([
  ['color=c=black', 'anullsrc', true, -91],
  ['testsrc2', 'sine', false, -15],
])('ffmpeg tells black from colour and silence from sound: %s and %s', (video, audio, isBlack, mostDb) => {
  const sources = [
    '-f',
    'lavfi',
    '-i',
    `${video}${video.includes('=') ? ':' : '='}s=320x180:r=25`,
    '-f',
    'lavfi',
    '-i',
    audio,
  ];
  const movie = execFileSync('ffmpeg', [
    ...['-v', 'error', ...sources, '-t', '2', '-c:v', 'libx264', '-c:a', 'aac'],
    ...['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', 'pipe:1'],
  ]);
  const { stdout, stderr } = spawnSync('ffmpeg', decodeArgs(true, true), { input: movie });
  const look = { pixels: new Uint8Array(stdout), keyframeMs: 0 };
  expect(stdout.length).toBe(64 * 36);
  const meter = new FaultMeter();
  meter.add(look, 0, limits);
  expect(meter.add(look, 5000, limits)).toBe(isBlack ? 'black' : '');
  const [, loudest] = /max_volume: (-?[\d.]+|-inf) dB/.exec(String(stderr)) ?? [];
  expect(Number(loudest)).toBeCloseTo(mostDb, -1);
});
