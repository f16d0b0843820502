// CPU time of each quality of a ladder, as the admission of ladders measures it: npm run bench -- rungs [SECONDS]
// 720p25 of 3 Mbit/s and 1080p30 of 5 Mbit/s, libx264, each quality alone, without the decoding, which all share. Percent of a core: CPU time by the
// length of the film, so that other programs disturb little.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { ladderArgs, ladderDecodeArgs, measuredCpuMs, runTool } from '@weir/process';
import { type LadderPreset, ladderPresets } from '@weir/streams';
import { madeOnce } from '../tests/made-once.fixture.ts';
import { round } from './playback/stage.ts';
import { BenchResult } from './results.ts';

const seconds = Number(process.argv[2] ?? 10);
const kbpsOf: Readonly<Record<number, number>> = { 720: 2500, 480: 1200, 360: 700, 240: 350 };
const sources = [
  { name: '720p25', size: '1280x720', rate: 25, kbps: 3000, lines: [480, 360, 240] },
  { name: '1080p30', size: '1920x1080', rate: 30, kbps: 5000, lines: [720, 480, 360, 240] },
];

type Source = (typeof sources)[number];

/** Noise moves like a film: a still test picture costs a third less. */
function filmOf({ size, rate, kbps }: Source): Buffer {
  const picture = `testsrc2=size=${size}:rate=${rate},noise=alls=12:allf=t`;
  const encoder = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -bf 0 -sc_threshold 0'.split(' ');
  const form = ['-g', String(2 * rate), '-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`];
  return readFileSync(madeOnce(['-f', 'lavfi', '-i', picture, '-t', String(seconds), ...encoder, ...form], 'ts'));
}

async function percentOf(film: Buffer, args: readonly string[]): Promise<number> {
  const end = await runTool({ command: 'ffmpeg', args, input: film, withinMs: 300_000, mostBytes: 2 ** 28 });
  const cpuMs = measuredCpuMs(end.said);
  if (end.code !== 0 || cpuMs === undefined) throw new Error(`ffmpeg failed: ${end.said.join('\n')}`);
  return cpuMs / seconds / 10;
}

async function costOf(film: Buffer, lines: number, preset: LadderPreset, decode: number): Promise<number> {
  const rungs = [{ lines, kbps: kbpsOf[lines] ?? 0 }];
  const args = ladderArgs({ encoder: 'libx264', preset, device: '', rungs }, { isMeasured: true });
  return round((await percentOf(film, args)) - decode, 0);
}

const result = new BenchResult('rungs');
for (const source of sources) {
  const film = filmOf(source);
  const decode = await percentOf(film, ladderDecodeArgs());
  for (const lines of source.lines) {
    const percent: Record<string, number> = {};
    for (const preset of ladderPresets) percent[preset] = await costOf(film, lines, preset, decode);
    result.add({ source: source.name, decode: round(decode, 0), lines, kbps: kbpsOf[lines], ...percent });
  }
}
