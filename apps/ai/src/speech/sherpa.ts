import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sampleRate } from './wav.ts';

interface RecognizerConfig {
  readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
  readonly modelConfig: Readonly<Record<string, unknown>>;
}

interface RecognizerResult {
  readonly text: string;
  readonly lang?: string;
  readonly tokens: readonly string[];
  /** Per token, in seconds; few models provide them. */
  readonly timestamps?: readonly number[];
}

interface Stream {
  acceptWaveform(wave: { readonly samples: Float32Array; readonly sampleRate: number }): void;
}

export interface Recognizer {
  createStream(): Stream;
  decodeAsync(stream: Stream): Promise<RecognizerResult>;
}

export interface Vad {
  acceptWaveform(samples: Float32Array): void;
  isEmpty(): boolean;
  isDetected(): boolean;
  front(enableExternalBuffer: boolean): { readonly start: number; readonly samples: Float32Array };
  pop(): void;
  reset(): void;
  flush(): void;
}

interface Speaking {
  readonly text: string;
  readonly sid: number;
  readonly speed: number;
  readonly enableExternalBuffer: boolean;
}

export interface Tts {
  readonly numSpeakers: number;
  generateAsync(speaking: Speaking): Promise<{ readonly samples: Float32Array; readonly sampleRate: number }>;
}

/** Subset of the sherpa-onnx API. Loading it loads the native library, so it happens on first use only. */
export interface Sherpa {
  readonly OfflineRecognizer: { createAsync(config: RecognizerConfig): Promise<Recognizer> };
  readonly OfflineTts: { createAsync(config: object): Promise<Tts> };
  readonly Vad: new (config: object, bufferSeconds: number) => Vad;
}

export function loadSherpa(directory: string): Sherpa {
  const load = createRequire(join(directory, 'here.js'));
  return { ...load('./non-streaming-asr.js'), ...load('./non-streaming-tts.js'), ...load('./vad.js') } as Sherpa;
}

/** Adds the settings common to all models. */
export function recognizerConfig(settings: Readonly<Record<string, unknown>>): RecognizerConfig {
  return {
    featConfig: { sampleRate, featureDim: 80 },
    modelConfig: { ...settings, numThreads: 1, provider: 'cpu', debug: 0 },
  };
}

export function voiceConfig(settings: Readonly<Record<string, unknown>>): object {
  return { model: { ...settings, numThreads: 1, provider: 'cpu', debug: 0 }, maxNumSentences: 1 };
}
