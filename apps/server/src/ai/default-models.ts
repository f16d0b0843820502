import type { AiFeature } from '@weir/contract';

/** What is asked for where nobody says otherwise. */
export const defaultModels = {
  transcribe: 'whisper-1',
  speak: 'tts-1',
  voice: 'nova',
} as const;

/** Rooms talk, which a small model does at once; what reads and translates has to be right. */
export function chatModel(feature: AiFeature): string {
  return feature === 'rooms' || feature === 'check' ? 'gpt-3.5-turbo' : 'gpt-4o';
}
