import { EnergyDetector } from './energy-detector.ts';
import { type VoiceActivity, type VoiceListener, voiceTimes } from './voice-activity.ts';

/** Signal for a better detector. Positions are samples since its start. */
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
  /** Start position. */
  readonly base: number;
  openFrom: number | undefined;
  toldUntil: number;
}

/** Built-in AI is asked again after half a minute of sound, */
const retrySamples = 30 * 16_000;
/** and soon after it was there: its process is started again. */
const returnSamples = 3 * 16_000;
/** Delay of the detector, including its processing time. */
const noticedSamples = 16_000;
/** Limit of spans, above those of the longest delay of the other detector. */
const mostUnheard = 8;

type Told = Parameters<VoiceListener['onUtterance']>;

/**
 * Voice activity by built-in AI where it is installed, and by loudness before, after and instead of it. Loudness is listened to all the time: who has
 * to take over in the middle of a word knows how loud the place is, and what was not told yet.
 */
export class FallbackVoiceActivity implements VoiceActivity {
  readonly #listener: VoiceListener;
  readonly #listen: ListenForVoices;
  readonly #energy: EnergyDetector;
  #position = 0;
  #listening: Listening | undefined;
  /** Heard by loudness while the better detector listens, the last ones. */
  #unheard: Told[] = [];
  /** Detector that answered and waits for a pause to take over. */
  #ready: { readonly call: VoiceCall; readonly abort: AbortController } | undefined;
  #asking: AbortController | undefined;
  #askAt = 0;
  #isClosed = false;

  constructor(listener: VoiceListener, listen: ListenForVoices) {
    this.#listener = listener;
    this.#listen = listen;
    this.#energy = new EnergyDetector({ onUtterance: (...told) => this.#loud(told) });
  }

  get decidedUntil(): number {
    const listening = this.#listening;
    if (!listening) return this.#energy.decidedUntil;
    const { base, openFrom, toldUntil } = listening;
    return openFrom ?? Math.max(base, toldUntil, this.#position - noticedSamples);
  }

  get openFrom(): number | undefined {
    return this.#listening ? this.#listening.openFrom : this.#energy.openFrom;
  }

  /** The better detector tells where the voice begins. */
  get openLead(): number {
    return this.#listening ? 0 : this.#energy.openLead;
  }

  push(pcm: Buffer): void {
    this.#useDetector();
    if (this.#listening && !this.#listening.call.write(pcm)) this.#fallBack();
    this.#energy.push(pcm);
    this.#position += Math.floor(pcm.length / 2);
    if (!this.#listening && !this.#ready && !this.#asking && this.#position >= this.#askAt) void this.#connect();
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

  #loud(told: Told): void {
    if (this.#listening) this.#unheard = [...this.#unheard, told].slice(-mostUnheard);
    else this.#listener.onUtterance(...told);
  }

  async #connect(): Promise<void> {
    const abort = new AbortController();
    this.#asking = abort;
    this.#askAt = this.#position + retrySamples;
    const call = await this.#listen(abort.signal).catch(() => undefined);
    this.#asking = undefined;
    if (call && this.#isClosed) abort.abort();
    else if (call) this.#ready = { call, abort };
  }

  /** Switches to the detector in a pause, so that no utterance is cut in two. */
  #useDetector(): void {
    const ready = this.#ready;
    if (!ready || this.#energy.openFrom !== undefined) return;
    this.#ready = undefined;
    this.#unheard = [];
    const listening = { ...ready, base: this.#position, openFrom: undefined, toldUntil: this.#position };
    this.#listening = listening;
    void this.#follow(listening);
  }

  async #follow(listening: Listening): Promise<void> {
    try {
      for await (const line of listening.call.lines) {
        if (this.#listening !== listening) return;
        if ('speech' in line) listening.openFrom = Math.max(listening.toldUntil, listening.base + line.speech);
        else this.#report(listening, listening.base + line.utterance[0], listening.base + line.utterance[1]);
      }
    } catch {
      // The detector or its process ended; the fallback continues.
    }
    if (this.#listening === listening) this.#fallBack();
  }

  #report(listening: Listening, from: number, to: number): void {
    const [start, end] = [Math.max(from, listening.toldUntil), Math.min(to, this.#position)];
    listening.openFrom = undefined;
    if (end <= start) return;
    listening.toldUntil = end;
    this.#listener.onUtterance(start, end, 0);
  }

  /**
   * Falls back in the middle of speech, including what the detector had not reported: a killed process cuts no word.
   */
  #fallBack(): void {
    const listening = this.#listening;
    if (!listening) return;
    const { decidedUntil } = this;
    let { openFrom, toldUntil } = listening;
    this.#listening = undefined;
    listening.abort.abort();
    this.#askAt = this.#position + returnSamples;
    for (const [from, end, lead] of this.#unheard.filter(([, to]) => to > decidedUntil)) {
      const start = Math.max(toldUntil, openFrom ?? from);
      // Both detectors do not end an utterance at the same sample.
      if (end - start < voiceTimes.hangover) continue;
      this.#listener.onUtterance(start, end, openFrom === undefined ? Math.max(0, from + lead - start) : 0);
      toldUntil = end;
      openFrom = undefined;
    }
    this.#energy.resume(toldUntil, openFrom);
  }
}
