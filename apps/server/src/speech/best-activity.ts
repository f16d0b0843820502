import { EnergyDetector } from './energy-detector.ts';
import type { VoiceActivity, VoiceListener } from './voice-activity.ts';

/** One signal that a better detector listens to. Positions are samples since it began to. */
interface VoiceCall {
  /** False: it is behind, or gone. */
  write(pcm: Buffer): boolean;
  readonly lines: AsyncIterable<{ readonly speech: number } | { readonly utterance: readonly [number, number] }>;
}

/** Begins to listen; undefined where there is no such detector. */
export type ListenForVoices = (signal: AbortSignal) => Promise<VoiceCall | undefined>;

interface Listening {
  readonly call: VoiceCall;
  readonly abort: AbortController;
  /** The position at which it began. */
  readonly base: number;
  openFrom: number | undefined;
  toldUntil: number;
}

/** Built-in AI is asked again after half a minute of sound. */
const retrySamples = 30 * 16_000;
/** How late the detector says that somebody began to speak, what it takes to say so included. */
const noticedSamples = 16_000;

/** Voice activity by built-in AI where it is installed, and by loudness before, after and instead of it. */
export class BestActivity implements VoiceActivity {
  readonly #listener: VoiceListener;
  readonly #listen: ListenForVoices;
  #position = 0;
  #energy: EnergyDetector;
  #energyBase = 0;
  #listening: Listening | undefined;
  /** It answered, and waits for a pause in which it can take over. */
  #ready: { readonly call: VoiceCall; readonly abort: AbortController } | undefined;
  #asking: AbortController | undefined;
  #askAt = 0;
  #isClosed = false;

  constructor(listener: VoiceListener, listen: ListenForVoices) {
    this.#listener = listener;
    this.#listen = listen;
    this.#energy = this.#newEnergy();
  }

  get decidedUntil(): number {
    const listening = this.#listening;
    if (!listening) return this.#energyBase + this.#energy.decidedUntil;
    const { base, openFrom, toldUntil } = listening;
    return openFrom ?? Math.max(base, toldUntil, this.#position - noticedSamples);
  }

  get openFrom(): number | undefined {
    if (this.#listening) return this.#listening.openFrom;
    const { openFrom } = this.#energy;
    return openFrom === undefined ? undefined : this.#energyBase + openFrom;
  }

  /** The better detector tells where the voice begins. */
  get openLead(): number {
    return this.#listening ? 0 : this.#energy.openLead;
  }

  push(pcm: Buffer): void {
    this.#takeOver();
    if (this.#listening && !this.#listening.call.write(pcm)) this.#fallBack();
    if (!this.#listening) this.#energy.push(pcm);
    this.#position += Math.floor(pcm.length / 2);
    if (!this.#listening && !this.#ready && !this.#asking && this.#position >= this.#askAt) void this.#ask();
  }

  cut(): void {
    if (this.#listening) this.#fallBack();
    this.#energy.cut();
  }

  close(): void {
    this.#isClosed = true;
    this.#energy.close();
    for (const abort of [this.#listening?.abort, this.#ready?.abort, this.#asking]) abort?.abort();
    this.#listening = undefined;
    this.#ready = undefined;
  }

  /** `spoken`: of an utterance that goes on. */
  #newEnergy(spoken = 0): EnergyDetector {
    this.#energyBase = this.#position;
    const base = this.#position;
    const onUtterance = (start: number, end: number, lead: number) =>
      this.#listener.onUtterance(base + start, base + end, lead);
    return new EnergyDetector({ onUtterance }, spoken);
  }

  async #ask(): Promise<void> {
    const abort = new AbortController();
    this.#asking = abort;
    this.#askAt = this.#position + retrySamples;
    const call = await this.#listen(abort.signal).catch(() => undefined);
    this.#asking = undefined;
    if (call && this.#isClosed) abort.abort();
    else if (call) this.#ready = { call, abort };
  }

  /** In a pause, so that nothing that is said is cut in two. */
  #takeOver(): void {
    const ready = this.#ready;
    if (!ready || this.#energy.openFrom !== undefined) return;
    this.#ready = undefined;
    const listening = { ...ready, base: this.#position, openFrom: undefined, toldUntil: this.#position };
    this.#listening = listening;
    void this.#follow(listening);
  }

  async #follow(listening: Listening): Promise<void> {
    try {
      for await (const line of listening.call.lines) {
        if (this.#listening !== listening) return;
        if ('speech' in line) listening.openFrom = Math.max(listening.toldUntil, listening.base + line.speech);
        else this.#tell(listening, listening.base + line.utterance[0], listening.base + line.utterance[1]);
      }
    } catch {
      // It ended, or its process did; what follows is heard the other way.
    }
    if (this.#listening === listening) this.#fallBack();
  }

  #tell(listening: Listening, from: number, to: number): void {
    const [start, end] = [Math.max(from, listening.toldUntil), Math.min(to, this.#position)];
    listening.openFrom = undefined;
    if (end <= start) return;
    listening.toldUntil = end;
    this.#listener.onUtterance(start, end, 0);
  }

  /** Whoever is speaking is heard out the other way: a process that was killed cuts no word. */
  #fallBack(): void {
    const listening = this.#listening;
    if (!listening) return;
    this.#listening = undefined;
    listening.abort.abort();
    this.#energy = this.#newEnergy(this.#position - (listening.openFrom ?? this.#position));
  }
}
