import { Readable } from 'node:stream';
import { SpokenPages } from '../../apps/server/src/speech/interim/spoken-pages.ts';
import { AiProcess } from '../../tests/ai/ai-process.fixture.ts';
import { pcmOf, prompts, wavOf } from '../../tests/ai/human-speech.fixture.ts';
import { localModels } from '../../tests/local-ai.fixture.ts';
import type { BenchResult } from '../results.ts';
import { cpuSeconds, quantile } from './product.ts';
import { firstShown } from './screen-watch.ts';

const bytesPerMs = 32;
/** Delay until the end of an utterance is noticed. */
const noticedMs = 350;

/**
 * Delay of interim text, on its own core: attempts take the CPU time of real speech, so other work on the machine
 * matters little. The delay of pages is measured in Chromium.
 */
export async function growing(result: BenchResult): Promise<void> {
  const ai = await AiProcess.start(await localModels());
  const spent = () => 1000 * cpuSeconds(ai.child.pid ?? 0);
  try {
    await ai.transcribe(wavOf(pcmOf(prompts[0])));
    for (const stepMs of [Number.POSITIVE_INFINITY, 2000, 1000]) {
      const beganMs = spent();
      let heardMs = 0;
      const delays: number[] = [];
      for (const prompt of prompts) {
        const pcm = Buffer.concat([Buffer.alloc(1000 * bytesPerMs), pcmOf(prompt), Buffer.alloc(1000 * bytesPerMs)]);
        heardMs += pcm.length / bytesPerMs;
        const { body } = await ai.sendRequest('POST', '/v1/audio/voice-activity', Readable.from([pcm]));
        for (const [, from, to] of body.toString().matchAll(/"utterance":\[(\d+),(\d+)\]/g)) {
          const spoken = pcm.subarray(2 * Number(from), 2 * Number(to));
          const check = async (ms: number) => {
            const before = spent();
            const { text } = (await ai.transcribe(wavOf(spoken.subarray(0, ms * bytesPerMs)))).json;
            return { text: String(text), tookMs: spent() - before };
          };
          delays.push(...(await delaysOf(spoken.length / bytesPerMs, stepMs, check)));
        }
      }
      const cost = ((spent() - beganMs) / heardMs).toFixed(2);
      const [p50, p95] = [0.5, 0.95].map((share) => (quantile(delays, share) / 1000).toFixed(2));
      const how = Number.isFinite(stepMs) ? `a look each ${stepMs / 1000} s` : 'whole utterances';
      result.add(
        {
          how,
          p50Seconds: Number(p50),
          p95Seconds: Number(p95),
          groups: delays.length,
          cpuSecondsPerSecond: Number(cost),
        },
        `${how}: text p50 ${p50} s, p95 ${p95} s after ${delays.length} word groups, ${cost} CPU s per second`,
      );
    }
  } finally {
    await ai.close();
  }
}

type Look = (ms: number) => Promise<{ readonly text: string; readonly tookMs: number }>;

/** Delays after the end of each group of words in one utterance. */
async function delaysOf(lengthMs: number, stepMs: number, check: Look): Promise<number[]> {
  const pages = new SpokenPages();
  const screens: [number, string][] = [];
  // The next look waits for the one before.
  for (let atMs = stepMs, freeMs = 0; atMs < lengthMs + noticedMs; atMs = Math.max(atMs + stepMs, freeMs)) {
    const { text, tookMs } = await check(Math.min(atMs, lengthMs));
    freeMs = atMs + tookMs;
    if (freeMs > lengthMs + noticedMs || text === '') continue;
    for (const page of pages.push(text, { startMs: 0, endMs: atMs })) screens.push([freeMs, page.text]);
  }
  const { text, tookMs } = await check(lengthMs);
  const groups = text === '' ? [] : pages.finish(text, { startMs: 0, endMs: lengthMs });
  for (const group of groups) screens.push([lengthMs + noticedMs + tookMs, group.text]);
  return groups.map((group) => (firstShown(screens, group.text, 0) ?? Number.NaN) - group.endMs);
}
