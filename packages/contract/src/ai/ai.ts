import * as z from 'zod';

/** Who asks AI for something; the meter and the daily limits count by these. `check` is the console's test button. */
const aiFeatures = ['transcript', 'translation', 'ocr', 'rooms', 'dubbing', 'check'] as const;
const AiFeature = z.enum(aiFeatures);
export type AiFeature = z.infer<typeof AiFeature>;

/** What can be asked for: speech to text, text, reading of images, a voice. */
const aiNeeds = ['transcribe', 'chat', 'see', 'speak'] as const;
const AiNeed = z.enum(aiNeeds);
export type AiNeed = z.infer<typeof AiNeed>;

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
const AiCause = z.enum(aiCauses);
export type AiCause = z.infer<typeof AiCause>;

/** Who would answer now: a provider, known by its host; built-in AI; or nobody, and why. */
const AiAnswerer = z.object({
  by: z.enum(['provider', 'built-in', 'nobody']),
  /** Where what is asked is sent; empty unless it leaves this server. */
  host: z.string(),
  cause: AiCause.nullable(),
});
export type AiAnswerer = z.infer<typeof AiAnswerer>;
