import { type AiCapability, type AiFeature, aiDefaultModels } from '@weir/contract';
import type { LocalModel } from './local/local-models.ts';
import { localModel } from './local/local-models.ts';
import type { Provider } from './providers.ts';

interface Asked {
  readonly feature: AiFeature;
  readonly model?: string | undefined;
}

/** The model to ask for: built-in AI has its own; elsewhere what the caller says, what the owner set, or the default one. */
export function chooseModel(need: AiCapability, { feature, model }: Asked, { local, models }: Provider): string {
  if (local) return local.id;
  return (
    model || models[need] || (need === 'chat' && feature === 'rooms' ? aiDefaultModels.roomChat : aiDefaultModels[need])
  );
}

/** The voice, which of built-in AI is its model. Chinese signs cannot be read by a voice of another language. */
export function chooseVoice(
  text: string,
  voice: string | undefined,
  { local, models }: Provider,
  offered: readonly LocalModel[],
): string {
  if (!local) return voice || models.voice || aiDefaultModels.voice;
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : '';
  return (
    localModel(offered, 'speak', { language, wanted: voice }) ??
    localModel(offered, 'speak', { wanted: voice }) ??
    local
  ).id;
}
