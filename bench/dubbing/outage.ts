import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DubbingTask } from '@weir/contract';
import { startInterpreter } from '../../apps/server/src/features/dubbing/interpreter.fixture.ts';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { makeFilm, startDubbing } from './project.ts';

/** A provider that is away in the middle of each step, once for a minute: what is told, when the work goes on, and what comes of it. */
export async function outage(result: BenchResult, isQuick: boolean): Promise<void> {
  const away = { asr: 5, translating: 5, tts: isQuick ? 5 : 60 };
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-dubbing-'));
  const [provider, live] = await Promise.all([startInterpreter(), Live.start()]);
  try {
    const path = join(directory, 'film.mp4');
    // Several parts, and sentences enough that every step has a middle.
    await makeFilm({ path, seconds: 600, rate: 5, loud: 'between(mod(t,10),4,6)', bright: '0' });
    await live.post('/terraform/v1/mgmt/openai/update', {
      aiSecretKey: 'sk-0123456789abcdef',
      aiBaseURL: provider.baseURL,
    });
    provider.mood = 'slow';
    const uuid = await startDubbing(live, path);
    const readTask = async (): Promise<DubbingTask> =>
      (await live.post('/terraform/v1/dubbing/task-query', { uuid, task: uuid })).data;
    for (const [step, seconds] of Object.entries(away)) {
      await until(async () => (await readTask()).status === step, `it is at ${step}`, 120_000);
      const { percent: first } = await readTask();
      await until(async () => (await readTask()).percent > first, `it is in the middle of ${step}`, 120_000);
      await provider.disappear();
      const goneMs = performance.now();
      await until(async () => (await readTask()).cause !== null, 'it says so', 120_000);
      const { cause, percent } = await readTask();
      const toldMs = performance.now() - goneMs;
      await sleep(seconds * 1000 - toldMs);
      const { percent: stopped } = await readTask();
      await provider.comeBack();
      const backMs = performance.now();
      await until(async () => (await readTask()).cause === null, 'it goes on', 600_000);
      const resumedSeconds = Math.round((performance.now() - backMs) / 100) / 10;
      result.add(
        { step, awaySeconds: seconds, cause, reportedMs: Math.round(toldMs), resumedSeconds },
        `  ${step}: away for ${seconds} s, told as ${cause} after ${(toldMs / 1000).toFixed(1)} s at ${percent} %, ` +
          `${stopped} % at the end, goes on ${resumedSeconds} s after it is back`,
      );
    }
    await until(async () => (await readTask()).status === 'done', 'the film is dubbed', 600_000);
    const { asr_response: response, missing } = await readTask();
    const groups = response?.groups ?? [];
    const places = new Set(groups.map(({ start }) => Math.round(start)));
    const fitting = groups.filter(({ fit }) => fit === 'fits' || fit === 'pause').length;
    result.add(
      { groups: groups.length, places: places.size, fitting, missingParts: missing.length },
      `done: ${groups.length} groups of 60 sentences, at ${places.size} places, ${fitting} with a voice in its place, ` +
        `${missing.length} parts missing`,
    );
  } finally {
    await Promise.all([live.close(), provider.close()]);
    rmSync(directory, { recursive: true });
  }
}
