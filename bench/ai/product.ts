import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { localModels } from '../../tests/local-ai.fixture.ts';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { childrenOf } from '../../tests/weir.fixture.ts';

/** Clock ticks per second in Linux's process times. */
const ticks = 100;
/** The product's. Publishers, viewers and browsers have the other one. */
const core = '0';

/** A whole product with the real models, all of it on one core. */
export async function startProduct(): Promise<Live> {
  const live = await Live.start({ WEIR_MODELS: await localModels() });
  for (const pid of familyOf(live)) execFileSync('taskset', ['-a', '-pc', core, String(pid)], { stdio: 'ignore' });
  return live;
}

export async function transcribe(live: Live, streams: readonly string[], overlayEnabled = false): Promise<void> {
  const settings = { all: true, lang: 'en', overlayEnabled, streams, captions: streams };
  const { code } = await live.post('/terraform/v1/ai/transcript/apply', settings);
  if (code !== 0) throw new Error('transcription was refused');
}

export async function transcriptState(live: Live) {
  return (await live.post('/terraform/v1/ai/transcript/state')).data;
}

/** CPU seconds of the process of built-in AI; none while it does not run. */
export function aiSeconds(live: Live): number {
  const pid = familyOf(live).find((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('apps/ai/'));
  return pid === undefined ? 0 : cpuSeconds(pid);
}

export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

function familyOf({ weir }: Live): number[] {
  const below = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(below)];
  return below(weir.process.pid ?? 0);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
