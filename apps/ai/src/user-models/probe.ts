import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { localAiPaths } from '@weir/local-ai';
import { errorMessage } from '@weir/plane/error-message';
import { loadSherpa, recognizerConfig, voiceConfig } from '../speech/sherpa.ts';
import { sampleRate } from '../speech/wav.ts';
import { detectModelFiles } from './model-files.ts';

export interface ProbeResult {
  readonly speakers: number;
  readonly problem: string;
}

export function isProbeResult(value: unknown): value is ProbeResult {
  const { speakers, problem } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ProbeResult>;
  return typeof speakers === 'number' && typeof problem === 'string';
}

/** Loads and uses a model once in a process of its own, and prints the result if the process survives. */
export async function runProbe(modelsDir: string, folder: string): Promise<void> {
  const verdict = await probe(modelsDir, folder).catch((error: unknown) => ({
    speakers: 0,
    problem: errorMessage(error),
  }));
  process.stdout.write(`\n${JSON.stringify(verdict)}\n`);
}

async function probe(modelsDir: string, folder: string): Promise<ProbeResult> {
  const path = (name: string) => join(modelsDir, folder, name);
  const set = detectModelFiles(folder, await readdir(join(modelsDir, folder)));
  if (typeof set !== 'object') return { speakers: 0, problem: set ?? 'The folder contains no model.' };
  const sherpa = loadSherpa(localAiPaths(modelsDir).sherpa);
  const settings = set.config(path, set.languages[0] ?? '');
  if (set.kind === 'voice') {
    const voice = await sherpa.OfflineTts.createAsync(voiceConfig(settings));
    await voice.generateAsync({ text: 'one', sid: 0, speed: 1, enableExternalBuffer: false });
    return { speakers: voice.numSpeakers, problem: '' };
  }
  const recognizer = await sherpa.OfflineRecognizer.createAsync(recognizerConfig(settings));
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples: new Float32Array(sampleRate), sampleRate });
  await recognizer.decodeAsync(stream);
  return { speakers: 0, problem: '' };
}
