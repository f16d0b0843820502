/**
 * State of the microphone. `insecure`: browsers require HTTPS, except on localhost. `missing`: no device. `busy`: used
 * by another program, or refused by the system. `lost`: unplugged.
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

/** Input device with the name given by the system. */
export interface MicrophoneDevice {
  readonly id: string;
  readonly label: string;
}

export interface MicrophoneView {
  readonly state: MicrophoneState;
  /** Error message of the browser; may be empty. */
  readonly detail: string;
  /** Empty until the first permission. */
  readonly devices: readonly MicrophoneDevice[];
  /** Device in use; empty = none. */
  readonly deviceId: string;
  /** Recording: the key is held, or speech was detected. */
  readonly isRecording: boolean;
  readonly isHandsFree: boolean;
}

/** Utterance ready for `stage/upload`. */
export interface RecordedUtterance {
  /** WAV file in base64: mono, 16 kHz, 16 bit; at most a minute, 2.6 MB. */
  readonly audio: string;
  readonly seconds: number;
  /** Time for which the key was held or speech was detected. */
  readonly heldMs: number;
  /** Contains speech; noise alone is not worth a call. */
  readonly hasVoice: boolean;
  /** End of the speech, on the clock of `performance.now()`. */
  readonly endedAtMs: number;
}

/** Ongoing speech that is not recognized for good yet. */
export interface OpenSpeech {
  /** Number of the utterance. */
  readonly utterance: number;
  readonly frames: number;
  readonly seconds: number;
  /** The sentence seems to be over. */
  readonly isPause: boolean;
  /** Same format as in `RecordedUtterance`. With a limit only its end. */
  readonly audio: (mostSeconds?: number) => string;
}

/** Input level from 0 to 1, about fifty times a second. Write it into a style instead of rendering. */
export interface LevelSource {
  subscribe(listener: (level: number) => void): () => void;
}

export interface VoiceMicrophone extends MicrophoneView {
  readonly level: LevelSource;
  /** Requests permission if needed; call it in a user gesture. Resolves to whether the microphone is ready. */
  open(): Promise<boolean>;
  close(): void;
  /** Switches to another device and remembers it. */
  choose(deviceId: string): Promise<boolean>;
  setHandsFree(isHandsFree: boolean): void;
  /**
   * Push to talk. Includes the speech shortly before `begin` and after `end`; a `begin` shortly after `end` continues
   * the utterance.
   */
  begin(): void;
  end(): void;
  /** Discards the speech since `begin`. */
  cancel(): void;
  /** Marks speech as recognized. With `isUnderstood` its text is final and its audio leaves the utterance. */
  markTranscribed(speech: OpenSpeech, isUnderstood: boolean): void;
}

/** `loading`: audio will play once spoken and fetched. `blocked`: the browser requires a gesture (`resume`). */
type PlaybackState = 'idle' | 'loading' | 'playing' | 'blocked';

/** Result of one clip. `silent`: the speaker is muted. */
export type PlaybackResult = 'played' | 'stopped' | 'failed' | 'silent';

export interface PlaybackView {
  readonly state: PlaybackState;
  /** Current or next audio; empty = none. */
  readonly asid: string;
  readonly isMuted: boolean;
}

export interface VoicePlayback extends PlaybackView {
  /** Queues audio, unless its answer was stopped. Resolves when it ended, was stopped or failed. */
  add(asid: string, answer?: string): Promise<PlaybackResult>;
  /** Stops the current audio and plays these clips again in order. */
  replay(asids: readonly string[]): Promise<PlaybackResult[]>;
  /** Stops everything queued and skips further pieces of unfinished answers. */
  stop(): void;
  /** Reverts the last `stop`: further pieces are played. */
  allowStopped(): void;
  /** Unblocks audio; call it in a user gesture. Resolves to whether audio can play. */
  resume(): Promise<boolean>;
  setMuted(isMuted: boolean): void;
}

export interface AudioSource {
  /** Waits for audio that is still being spoken; rejects if there is none. */
  load(asid: string, signal: AbortSignal): Promise<ArrayBuffer>;
  /** Tells the server that the page does not need the audio any more. */
  drop(asid: string): void;
}
