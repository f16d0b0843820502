import type { AiModels } from '@weir/contract';

/** Parts of names by which models for one purpose are known. */
const purposes = {
  speech: /whisper|sense-?voice|paraformer|parakeet|moonshine|asr|stt/i,
  voice: /tts|kokoro|piper|vits|bark|xtts|speech/i,
  other: /embed|bge|rerank|minilm|e5-|guard|diffusion|flux/i,
  image: /vision|[-.\d]vl\b|-vl|llava|pixtral|minicpm-v|gemma-?3|gpt-4o|moondream/i,
} as const;

/** Models that can chat, most likely ones only. */
export function chatModels(ids: readonly string[]): string[] {
  const { speech, voice, other } = purposes;
  const able = ids.filter((id) => ![speech, voice, other].some((pattern) => pattern.test(id)));
  return able.length > 0 ? able : [...ids];
}

/** Models for a provider that was found, by their names. The owner chose the one for chats. */
export function guessModels(ids: readonly string[], chat: string): AiModels {
  const first = (pattern: RegExp) => ids.find((id) => pattern.test(id)) ?? '';
  const speak = first(purposes.voice);
  return {
    transcribe: first(purposes.speech),
    chat,
    see: purposes.image.test(chat) ? chat : first(purposes.image),
    speak: purposes.speech.test(speak) ? '' : speak,
    voice: '',
  };
}
