import { localAiPaths } from '@weir/local-ai';
import {
  loadSherpa,
  type Recognizer,
  recognizerConfig,
  type Sherpa,
  type Tts,
  type Vad,
  voiceConfig,
} from './sherpa.ts';
import { windowSamples } from './utterance-detector.ts';
import { sampleRate } from './wav.ts';

const vadBufferSeconds = 60;
/** Pooled detectors. */
const mostIdleVads = 8;

/** Loads sherpa-onnx and its models on first use. */
export class SherpaRuntime {
  readonly #places: ReturnType<typeof localAiPaths>;
  #sherpa: Sherpa | undefined;
  /** Detectors are reused, because native memory is freed only when the garbage collector runs. */
  readonly #idleVads: Vad[] = [];
  readonly #recognizers = new Map<string, Promise<Recognizer>>();
  readonly #voices = new Map<string, Promise<Tts>>();

  constructor(modelsDir: string) {
    this.#places = localAiPaths(modelsDir);
  }

  get sherpa(): Sherpa {
    this.#sherpa ??= loadSherpa(this.#places.sherpa);
    return this.#sherpa;
  }

  acquireVad(): Vad {
    const idle = this.#idleVads.pop();
    if (idle) return idle;
    const sileroVad = {
      model: this.#places.voiceActivity,
      threshold: 0.5,
      minSilenceDuration: 0.25,
      minSpeechDuration: 0.25,
      maxSpeechDuration: 5,
      windowSize: windowSamples,
    };
    return new this.sherpa.Vad({ sileroVad, sampleRate, numThreads: 1, provider: 'cpu', debug: 0 }, vadBufferSeconds);
  }

  releaseVad(vad: Vad): void {
    vad.reset();
    if (this.#idleVads.length < mostIdleVads) this.#idleVads.push(vad);
  }

  recognizer(model: string, language: string, settings: Settings): Promise<Recognizer> {
    return loadOnce(this.#recognizers, model, `${model} ${language}`, () =>
      this.sherpa.OfflineRecognizer.createAsync(recognizerConfig(settings)),
    );
  }

  voice(model: string, settings: Settings): Promise<Tts> {
    return loadOnce(this.#voices, model, model, () => this.sherpa.OfflineTts.createAsync(voiceConfig(settings)));
  }
}

type Settings = Readonly<Record<string, unknown>>;

/** Caches a loaded model, for one language at a time. A failed load is retried at the next call. */
function loadOnce<T>(all: Map<string, Promise<T>>, model: string, key: string, load: () => Promise<T>): Promise<T> {
  const found = all.get(key);
  if (found) return found;
  for (const other of all.keys()) if (other === model || other.startsWith(`${model} `)) all.delete(other);
  const loading = load();
  all.set(key, loading);
  loading.catch(() => all.delete(key));
  return loading;
}
