/** Receiver of voice activity. Positions are samples since the start. */
export interface VoiceListener {
  /** Span of speech from `start` to before `end`; spans are ordered and do not overlap. `lead`: part before the voice. */
  onUtterance(start: number, end: number, lead: number): void;
}

/** Finds the utterances in PCM (16 kHz, mono, s16). */
export interface VoiceActivity {
  push(pcm: Buffer): void;
  /** Ends the open utterance: audio before and after this position does not belong together. */
  cut(): void;
  close(): void;
  /** Position up to which detection is final: no utterance that begins earlier will be reported later. */
  readonly decidedUntil: number;
  /** Start of the open utterance as it will be reported; undefined during silence. */
  readonly openFrom: number | undefined;
  /** Part of it before the voice. */
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
  /** and here at the quietest recent position. */
  hardCut: 128_000,
} as const;
