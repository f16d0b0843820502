/** What is heard of voices in a signal. Positions are samples since its beginning. */
export interface VoiceListener {
  /** From `start` to before `end` somebody spoke; in order, and never twice. `lead`: what of it lies before the voice. */
  onUtterance(start: number, end: number, lead: number): void;
}

/** Finds the utterances in PCM (16 kHz, mono, s16). */
export interface VoiceActivity {
  push(pcm: Buffer): void;
  /** Nothing belongs together across this moment: whoever is speaking is taken to be done. */
  cut(): void;
  close(): void;
  /** Up to here it is decided: what begins before this was told, or will never be. */
  readonly decidedUntil: number;
  /** Where the utterance begins that goes on now, as it will be told; undefined: nobody speaks. */
  readonly openFrom: number | undefined;
  /** What of that lies before the voice. */
  readonly openLead: number;
}

export type StartVoiceActivity = (listener: VoiceListener) => VoiceActivity;

/** Seconds as people speak, in samples of 16 kHz. */
export const voiceTimes = {
  /** Before the first sound that is loud enough: consonants are not. */
  preRoll: 3200,
  /** Silence that ends an utterance. */
  hangover: 4000,
  /** Less than this that is loud is a click. */
  leastSpeech: 2400,
  /** From here on an utterance is cut at the next quiet spot, */
  mostSpeech: 80_000,
  /** and here wherever it was quietest lately. */
  hardCut: 128_000,
} as const;
