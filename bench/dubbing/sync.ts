import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flashesIn, loudnessOf, soundOf } from '../../apps/server/src/features/dubbing/film-probe.fixture.ts';
import { startInterpreter } from '../../apps/server/src/features/dubbing/interpreter.fixture.ts';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import type { BenchResult } from '../results.ts';
import { dubbed, exported, makeFilm, startDubbing } from './project.ts';

/** Sample rate of `soundOf`. */
const rate = 16_000;
/** A flash, and somebody who begins to speak with it. */
const everySeconds = 30;
const firstSecond = 4;

/** Distance of voices from their video, from the first minute to the last. */
export async function sync(result: BenchResult, isQuick: boolean): Promise<void> {
  const seconds = isQuick ? 120 : 1800;
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-dubbing-'));
  const [provider, live] = await Promise.all([startInterpreter(), Live.start()]);
  try {
    const path = join(directory, 'film.mp4');
    const within = (length: number) => `between(mod(t,${everySeconds}),${firstSecond},${firstSecond + length})`;
    await makeFilm({ path, seconds, rate: 25, loud: within(2), bright: within(0.2) });
    await live.post('/terraform/v1/mgmt/openai/update', {
      aiSecretKey: 'sk-0123456789abcdef',
      aiBaseURL: provider.baseURL,
    });
    const uuid = await startDubbing(live, path);
    await dubbed(live, uuid);
    const made = join(directory, 'dubbed.mp4');
    writeFileSync(made, Buffer.from(await (await fetch(await exported(live, uuid))).arrayBuffer()));
    const [seen, heard] = [await flashesIn(made), await onsetsIn(made)];
    if (seen.length !== heard.length) throw new Error(`${seen.length} flashes, ${heard.length} voices`);
    const offsets = heard.map((second, at) => (second - (seen[at] ?? 0)) * 1000);
    const at = (share: number) => offsets[Math.round((offsets.length - 1) * share)]?.toFixed(0);
    const most = Math.round(Math.max(...offsets.map(Math.abs)));
    const loudness = await loudnessOf(made);
    result.add(
      { minutes: seconds / 60, voices: seen.length, offsetsMs: [at(0), at(0.5), at(1)], mostMs: most, lufs: loudness },
      `${seconds / 60} min of film, ${seen.length} voices: begin ${at(0)} ms after their picture at the start, ${at(0.5)} ms in the ` +
        `middle, ${at(1)} ms at the end; at most ${most} ms; ${loudness} LUFS`,
    );
  } finally {
    await Promise.all([live.close(), provider.close()]);
    rmSync(directory, { recursive: true });
  }
}

/** Onsets of voices after silence. */
async function onsetsIn(path: string): Promise<number[]> {
  const pcm = await soundOf(path);
  const found: number[] = [];
  let lastLoud = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < pcm.length; at += 2) {
    if (Math.abs(pcm.readInt16LE(at)) < 1500) continue;
    if (at - lastLoud > rate * 2) found.push(at / 2 / rate);
    lastLoud = at;
  }
  return found;
}
