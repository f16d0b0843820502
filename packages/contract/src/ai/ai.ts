import * as z from 'zod';

/** Who asks AI for something; the meter and the daily limits count by these. `check` is the console's test button. */
export const aiFeatures = ['transcript', 'translation', 'ocr', 'rooms', 'dubbing', 'check'] as const;
export const AiFeature = z.enum(aiFeatures);
export type AiFeature = z.infer<typeof AiFeature>;

/** What can be asked for: speech to text, text, reading of images, a voice. */
export const aiCapabilities = ['transcribe', 'chat', 'see', 'speak'] as const;
export const AiCapability = z.enum(aiCapabilities);
export type AiCapability = z.infer<typeof AiCapability>;

/**
 * Why AI did not answer. `no-provider`: none is set, and built-in AI cannot do it. `bad-key`: the provider rejects the key. `no-model`: it has no such
 * model or call. `quota`: the account has nothing left. `busy`: too many calls, there or waiting here. `limit-reached`: the owner's own limit of the
 * day. `timeout`, `unreachable`, `bad-certificate`, `forbidden-address`: no answer came, or none was asked for. `provider-error`: it failed (5xx).
 * `refused`: it does not take what was sent (4xx). `bad-answer`: what it sent cannot be used. `unsupported-language`: built-in AI does not know it.
 * `local-failed`: the built-in process ended or does not start. `stopped`: nobody waits for the answer any more.
 */
const aiCauses = [
  'no-provider',
  'bad-key',
  'no-model',
  'quota',
  'busy',
  'limit-reached',
  'timeout',
  'unreachable',
  'bad-certificate',
  'forbidden-address',
  'provider-error',
  'refused',
  'bad-answer',
  'unsupported-language',
  'local-failed',
  'stopped',
] as const;
export const AiCause = z.enum(aiCauses);
export type AiCause = z.infer<typeof AiCause>;

/** Who would answer now: a provider, known by its host; built-in AI; or nobody, and why. */
export const AiAnswerer = z.object({
  by: z.enum(['provider', 'built-in', 'nobody']),
  /** Where what is asked is sent; empty unless it leaves this server. */
  host: z.string(),
  cause: AiCause.nullable(),
});
export type AiAnswerer = z.infer<typeof AiAnswerer>;

/** Who is asked, where that is no host: built-in AI, and all those that are too many to be listed. */
export const aiHosts = { builtIn: 'built-in', others: 'others' } as const;

/** The base URL that chooses built-in AI, wherever a provider can be chosen. Nothing is ever sent to it. */
export const builtInBaseUrl = `http://${aiHosts.builtIn}/v1`;

/** Servers that speak the same API, with the base URL they have when nobody changed it. Those of one's own need no key, so any text will do. */
export const aiPresets = [
  { name: 'openai', baseURL: 'https://api.openai.com/v1', needsKey: true },
  { name: 'ollama', baseURL: 'http://localhost:11434/v1', needsKey: false },
  { name: 'localai', baseURL: 'http://localhost:8080/v1', needsKey: false },
  { name: 'vllm', baseURL: 'http://localhost:8000/v1', needsKey: false },
] as const;

/** Models that are asked for where nobody says otherwise. Rooms talk, which a small model does at once. */
export const aiDefaultModels = {
  transcribe: 'whisper-1',
  chat: 'gpt-4o',
  roomChat: 'gpt-3.5-turbo',
  see: 'gpt-4o',
  speak: 'tts-1',
  voice: 'nova',
} as const;

const ModelName = z.string().trim().max(200).default('');

/** Models of the global provider; empty: the default one. */
export const AiModels = z.object({
  transcribe: ModelName,
  chat: ModelName,
  see: ModelName,
  speak: ModelName,
  voice: ModelName,
});
export type AiModels = z.output<typeof AiModels>;

/** What was asked of one host. Times are sums. */
export const AiUsage = z.object({
  host: z.string(),
  calls: z.int(),
  errors: z.int(),
  audioSeconds: z.number(),
  /** As the provider counts them, or an estimate where it does not say. */
  tokens: z.int(),
  delayMs: z.number(),
  lastCause: AiCause.nullable(),
});
export type AiUsage = z.output<typeof AiUsage>;

/** Of one UTC day; 0 is no limit. Built-in AI costs nothing and does not count. */
const AiLimit = z
  .object({ calls: z.int().min(0).max(1_000_000).default(0), minutes: z.int().min(0).max(100_000).default(0) })
  .prefault({});

export const AiLimits = z.object({
  transcript: AiLimit,
  translation: AiLimit,
  ocr: AiLimit,
  rooms: AiLimit,
  dubbing: AiLimit,
  check: AiLimit,
});
export type AiLimits = z.output<typeof AiLimits>;
