/**
 * Where the microphone stands, as a value that a page turns into words. `insecure`: browsers give none to pages without HTTPS, except on
 * localhost. `missing`: none is plugged in. `busy`: another program has it, or the system refuses it. `lost`: it was unplugged.
 */
export type MicrophoneState =
  | 'closed'
  | 'insecure'
  | 'asking'
  | 'denied'
  | 'missing'
  | 'busy'
  | 'failed'
  | 'lost'
  | 'ready';

/** Something to speak into: built in, wired or Bluetooth, by the name the system gives it. */
export interface MicrophoneDevice {
  readonly id: string;
  readonly label: string;
}

export interface MicrophoneView {
  readonly state: MicrophoneState;
  /** The browser's own words about a failure, for those who look for the cause; may be empty. */
  readonly detail: string;
  /** Empty until the page was allowed to use a microphone once. */
  readonly devices: readonly MicrophoneDevice[];
  /** The one in use; empty: none. */
  readonly deviceId: string;
  /** Somebody's words are being kept: the key is held, or hands-free heard a voice. */
  readonly isRecording: boolean;
  readonly isHandsFree: boolean;
}

/** What was said, ready for `stage/upload`. */
export interface RecordedUtterance {
  /** A WAV file in base64: mono, 16 kHz, 16 bit; at most a minute, 2.6 MB. */
  readonly audio: string;
  readonly seconds: number;
  /** How long the key was held, or the voice was heard. */
  readonly heldMs: number;
  /** Whether a voice was found in it; false: nothing but noise, which is not worth a call. */
  readonly hasVoice: boolean;
  /** When the voice in it ended, on the clock of `performance.now()`. */
  readonly endedAtMs: number;
}

/** What is being said, as far as nobody has settled what it says. */
export interface OpenSpeech {
  /** Which utterance it belongs to. */
  readonly utterance: number;
  readonly frames: number;
  readonly seconds: number;
  /** The sentence seems to be over. */
  readonly isPause: boolean;
  /** As in `Utterance`. */
  readonly audio: () => string;
}

/** How loud it is, from 0 to 1, some fifty times a second and without drawing React's tree again: write it into a style. */
export interface LevelSource {
  subscribe(listener: (level: number) => void): () => void;
}

export interface VoiceMicrophone extends MicrophoneView {
  readonly level: LevelSource;
  /** Asks for permission where that is needed. Call it where somebody pressed something. Answers whether it is ready. */
  open(): Promise<boolean>;
  close(): void;
  /** Another device from now on, remembered for the next time. */
  choose(deviceId: string): Promise<boolean>;
  setHandsFree(isHandsFree: boolean): void;
  /** Push to talk. What was said shortly before `begin` and after `end` belongs to it; `begin` again shortly after `end` goes on. */
  begin(): void;
  end(): void;
  /** Forgets what was said since `begin`. */
  cancel(): void;
  /** So far it is known what is being said. `isUnderstood`: for good, so it is not part of the utterance any more. */
  markTranscribed(speech: OpenSpeech, isUnderstood: boolean): void;
}

/** `loading`: something will play as soon as it is spoken and fetched. `blocked`: the browser wants a press first (`resume`). */
type PlaybackState = 'idle' | 'loading' | 'playing' | 'blocked';

/** How one piece of audio came out. `silent`: the speaker is off. */
export type PlaybackResult = 'played' | 'stopped' | 'failed' | 'silent';

export interface PlaybackView {
  readonly state: PlaybackState;
  /** Which audio is heard now, or will be next; empty: none. */
  readonly asid: string;
  readonly isMuted: boolean;
}

export interface VoicePlayback extends PlaybackView {
  /** Plays it after everything that was added before, unless the answer it is a piece of was stopped. Ends when it was heard, was stopped or failed. */
  add(asid: string, answer?: string): Promise<PlaybackResult>;
  /** Stops what is heard and plays these, which were added before, one right after the other. */
  replay(asids: readonly string[]): Promise<PlaybackResult[]>;
  /** Nothing more of what was added so far, nor of answers that go on: somebody speaks, or wants quiet. */
  stop(): void;
  /** There was no reason to stop: what comes from now on is heard. */
  allowStopped(): void;
  /** Call it where somebody pressed something. Answers whether the browser lets the page be heard now. */
  resume(): Promise<boolean>;
  setMuted(isMuted: boolean): void;
}

/** Where audio comes from. */
export interface AudioSource {
  /** Waits for audio that is still being spoken; rejects when there is none. */
  load(asid: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** The page has it, or will never want it. */
  drop(asid: string): void;
}
