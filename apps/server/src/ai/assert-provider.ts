import type { AiCapability } from '@weir/contract';
import { WeirError } from '../core/errors.ts';
import type { Ai, ProviderChoice } from './ai.ts';

const sentences: Partial<Record<AiCapability, string>> = {
  transcribe: 'no AI provider can transcribe speech: set one, or install built-in AI',
  see: 'no AI provider can read images: set one, or install built-in AI',
};

/** Before a feature starts. Older clients always send a key; who has another way needs none. */
export async function assertProvider(
  ai: Pick<Ai, 'describe'>,
  need: AiCapability,
  provider: ProviderChoice,
  language?: string,
): Promise<void> {
  const { by, cause } = await ai.describe(need, provider, language);
  if (by !== 'nobody') return;
  const why = { kind: 'ai', fact: cause ?? 'no-provider' };
  throw new WeirError('invalid_input', sentences[need] ?? 'no AI provider can do this', { why });
}
