import { Readable } from 'node:stream';
import { AiProcess } from '../../tests/ai/ai-process.fixture.ts';
import { pcmOf, prompts, textOf, wavOf, wordErrors } from '../../tests/ai/human-speech.fixture.ts';
import { localModels } from '../../tests/local-ai.fixture.ts';
import type { BenchResult } from '../results.ts';
import { cpuSeconds } from './product.ts';

const bytesPerSecond = 32_000;

/** The process of built-in AI without a product around it: what a second of a person's speech costs, and how many words are wrong. CPU time, so other work on the machine matters little. */
export async function alone(result: BenchResult): Promise<void> {
  const ai = await AiProcess.start(await localModels());
  try {
    // The first one pays for loading the model.
    await ai.transcribe(wavOf(pcmOf(prompts[0])));
    const before = cpuSeconds(ai.child.pid ?? 0);
    let [seconds, errors, words] = [0, 0, 0];
    for (const prompt of prompts) {
      const pcm = Buffer.concat([Buffer.alloc(bytesPerSecond), pcmOf(prompt), Buffer.alloc(bytesPerSecond)]);
      const heard: string[] = [];
      const { body } = await ai.sendRequest('POST', '/v1/audio/voice-activity', Readable.from([pcm]));
      for (const [, from, to] of body.toString().matchAll(/"utterance":\[(\d+),(\d+)\]/g))
        heard.push((await ai.transcribe(wavOf(pcm.subarray(2 * Number(from), 2 * Number(to))))).json.text);
      const found = wordErrors(textOf(prompt), heard.join(' '));
      seconds += pcm.length / bytesPerSecond;
      errors += found.errors;
      words += found.words;
    }
    const cost = (cpuSeconds(ai.child.pid ?? 0) - before) / seconds;
    const row = { cpuSecondsPerSecond: Number(cost.toFixed(3)), words, wrongWords: errors };
    result.add(
      row,
      `alone: ${cost.toFixed(3)} CPU s per second, ${((100 * errors) / words).toFixed(1)} % of ${words} words wrong`,
    );
  } finally {
    await ai.close();
  }
}
