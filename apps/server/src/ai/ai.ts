import type { AiAnswerer, AiCapability, AiCause, AiFeature } from '@weir/contract';

/** Provider chosen by a feature, room or project; empty strings mean no choice. */
export interface ProviderChoice {
  readonly secretKey: string;
  readonly baseURL: string;
  readonly organization: string;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Times are seconds from the start of the audio. */
export interface Transcription {
  readonly text: string;
  readonly language: string;
  readonly seconds: number;
  readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Fields of every request. Without a model the provider's default is used. */
interface Ask {
  readonly feature: AiFeature;
  readonly provider?: ProviderChoice;
  readonly model?: string;
  readonly signal: AbortSignal;
}

export interface TranscribeAsk extends Ask {
  /** WAV, 16 kHz, mono, s16. */
  readonly audio: Uint8Array;
  readonly seconds: number;
  /** Code of two letters; empty: the provider finds out. */
  readonly language: string;
  /** Text before it, as context. */
  readonly prompt?: string;
}

export interface ChatAsk extends Ask {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens?: number;
  readonly temperature?: number;
}

export interface SeeAsk extends Ask {
  /** JPEG. */
  readonly image: Uint8Array;
  /** Before the image, for example what its reader should know. */
  readonly messages: readonly ChatMessage[];
  readonly prompt: string;
}

export interface SpeakAsk extends Ask {
  readonly text: string;
  readonly voice?: string;
  readonly format: 'wav' | 'aac' | 'mp3';
}

/**
 * The one port to AI: features know nothing else of it. Who answers is resolved at each call. Every method fails with
 * `AiError` only, within a bounded time, and as soon as its signal aborts.
 */
export interface Ai {
  transcribe(ask: TranscribeAsk): Promise<Transcription>;
  /** Piece by piece, as it comes. */
  chat(ask: ChatAsk): AsyncIterable<string>;
  see(ask: SeeAsk): Promise<string>;
  speak(ask: SpeakAsk): Promise<Uint8Array>;
  /** Describes who would answer now, for the text beside a switch. Makes no request. */
  describe(need: AiCapability, provider?: ProviderChoice, language?: string): Promise<AiAnswerer>;
}

/** Why AI did not answer. The sentence holds neither a key nor what somebody else sent. */
export class AiError extends Error {
  override readonly name = 'AiError';
  override readonly cause: AiCause;
  /** Trying again later may help; tries within the call are over. */
  readonly canRetry: boolean;
  /** Pause that the refusing side requested. */
  readonly retryAfterMs: number | undefined;

  constructor(cause: AiCause, message: string, retryAfterMs?: number) {
    super(message);
    this.cause = cause;
    this.canRetry = retryable.has(cause);
    this.retryAfterMs = retryAfterMs;
  }
}

const retryable: ReadonlySet<AiCause> = new Set([
  'busy',
  'timeout',
  'unreachable',
  'provider-error',
  'bad-answer',
  'local-failed',
]);
