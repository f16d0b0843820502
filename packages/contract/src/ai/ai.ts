import * as z from 'zod';

/** Features that use AI; metering and daily limits count by these. `check` is the console's test button. */
export const aiFeatures = ['transcript', 'translation', 'ocr', 'rooms', 'dubbing', 'check'] as const;
export const AiFeature = z.enum(aiFeatures);
export type AiFeature = z.infer<typeof AiFeature>;

/** Speech to text, chat, image understanding and text to speech. */
export const aiCapabilities = ['transcribe', 'chat', 'see', 'speak'] as const;
export const AiCapability = z.enum(aiCapabilities);
export type AiCapability = z.infer<typeof AiCapability>;

/**
 * Reasons for a missing AI answer. `no-provider`: none is set, and built-in AI lacks the capability. `bad-key`: the provider rejects the
 * key. `no-model`: it has no such model or call. `quota`: the account has no credit. `busy`: too many calls, there or queued here.
 * `limit-reached`: the owner's daily limit. `timeout`, `unreachable`, `bad-certificate`, `forbidden-address`: no answer, or no call was
 * made. `provider-error`: HTTP 5xx. `refused`: HTTP 4xx. `bad-answer`: unusable response. `unsupported-language`: unknown to built-in AI.
 * `local-failed`: the built-in process crashed or does not start. `stopped`: the caller no longer waits.
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

/** AI that would answer now: a provider identified by host, built-in AI, or nobody with a reason. */
export const AiAnswerer = z.object({
  by: z.enum(['provider', 'built-in', 'nobody']),
  /** Host that receives the data; empty if it stays on this server. */
  host: z.string(),
  cause: AiCause.nullable(),
});
export type AiAnswerer = z.infer<typeof AiAnswerer>;

/** Labels of built-in AI, and of hosts beyond the listed ones. */
export const aiHosts = { builtIn: 'built-in', others: 'others' } as const;

/** Base URL that selects built-in AI. Nothing is ever sent to it. */
export const builtInBaseUrl = `http://${aiHosts.builtIn}/v1`;

/** Compatible servers with their default base URLs. Self-hosted ones need no key, so any text will do. */
export const aiPresets = [
  { name: 'openai', baseURL: 'https://api.openai.com/v1', needsKey: true },
  { name: 'ollama', baseURL: 'http://localhost:11434/v1', needsKey: false },
  { name: 'lmstudio', baseURL: 'http://localhost:1234/v1', needsKey: false },
  { name: 'localai', baseURL: 'http://localhost:8080/v1', needsKey: false },
  { name: 'vllm', baseURL: 'http://localhost:8000/v1', needsKey: false },
] as const;

/** Hosts that may be this machine: a container knows its host by a name of its own. */
export const aiLocalHosts = ['localhost', '127.0.0.1', 'host.docker.internal'] as const;

/** AI server that was found on this machine. */
export const AiFoundProvider = z.object({
  preset: z.enum(aiPresets.map(({ name }) => name)),
  baseURL: z.string(),
  models: z.array(z.string()),
});
export type AiFoundProvider = z.infer<typeof AiFoundProvider>;

/** Default models. Rooms use a small model because it answers at once. */
export const aiDefaultModels = {
  transcribe: 'whisper-1',
  chat: 'gpt-4o',
  roomChat: 'gpt-3.5-turbo',
  see: 'gpt-4o',
  speak: 'tts-1',
  voice: 'nova',
} as const;

const ModelName = z.string().trim().max(200).default('');

/** Models of the global provider; empty means the default. */
export const AiModels = z.object({
  transcribe: ModelName,
  chat: ModelName,
  see: ModelName,
  speak: ModelName,
  voice: ModelName,
});
export type AiModels = z.output<typeof AiModels>;

/** Usage of one host. Times are sums. */
export const AiUsage = z.object({
  host: z.string(),
  calls: z.int(),
  errors: z.int(),
  audioSeconds: z.number(),
  /** Reported by the provider, else estimated. */
  tokens: z.int(),
  delayMs: z.number(),
  lastCause: AiCause.nullable(),
});
export type AiUsage = z.output<typeof AiUsage>;

/** Per UTC day; 0 means no limit. Built-in AI is free and does not count. */
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
