import type { RecognizerConfig } from './sherpa.ts';
import { sampleRate } from './wav.ts';

/** The settings of one kind of model with what is the same for all. */
export function recognizerConfig(settings: Readonly<Record<string, unknown>>): RecognizerConfig {
  return {
    featConfig: { sampleRate, featureDim: 80 },
    modelConfig: { ...settings, numThreads: 1, provider: 'cpu', debug: 0 },
  };
}

export function voiceConfig(settings: Readonly<Record<string, unknown>>): object {
  return { model: { ...settings, numThreads: 1, provider: 'cpu', debug: 0 }, maxNumSentences: 1 };
}
