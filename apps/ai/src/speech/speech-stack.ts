import { localAiPlaces } from '@weir/local-ai';
import { loadSherpa, type Recognizer, type RecognizerConfig, type Sherpa, type Vad } from './sherpa.ts';
import { windowSamples } from './utterances.ts';
import { sampleRate } from './wav.ts';

const vadBufferSeconds = 60;
/** Of detectors that wait for their next stream. */
const mostIdleVads = 8;

/** The native half and what it has loaded. Nothing is loaded before it is asked for. */
export class SpeechStack {
  readonly #places: ReturnType<typeof localAiPlaces>;
  #sherpa: Sherpa | undefined;
  /** Detectors are used again: the memory of one that is thrown away comes back only when the collector cares. */
  readonly #idleVads: Vad[] = [];
  readonly #recognizers = new Map<string, Promise<Recognizer>>();

  constructor(modelsDir: string) {
    this.#places = localAiPlaces(modelsDir);
  }

  get sherpa(): Sherpa {
    this.#sherpa ??= loadSherpa(this.#places.sherpa);
    return this.#sherpa;
  }

  takeVad(): Vad {
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

  giveVadBack(vad: Vad): void {
    vad.reset();
    if (this.#idleVads.length < mostIdleVads) this.#idleVads.push(vad);
  }

  /** One that was loaded stays; one that failed to load is tried again at the next call. */
  recognizer(name: string, config: RecognizerConfig): Promise<Recognizer> {
    const loaded = this.#recognizers.get(name) ?? this.sherpa.OfflineRecognizer.createAsync(config);
    this.#recognizers.set(name, loaded);
    loaded.catch(() => this.#recognizers.delete(name));
    return loaded;
  }
}
