import { expect, it } from 'vitest';
import { chatModels, guessModels } from './guess-models.ts';

it('offers models that can chat, and all of them where none is known to', () => {
  const ids = ['nomic-embed-text:latest', 'qwen2.5:7b', 'whisper-large-v3', 'kokoro', 'llama3.2:latest'];
  expect(chatModels(ids)).toEqual(['qwen2.5:7b', 'llama3.2:latest']);
  expect(chatModels(['whisper-1'])).toEqual(['whisper-1']);
});

it('finds models for speech, images and voice by their names', () => {
  const ids = ['qwen2.5:7b', 'whisper-large-v3', 'kokoro-82m', 'qwen2.5vl:7b'];
  expect(guessModels(ids, 'qwen2.5:7b')).toEqual({
    transcribe: 'whisper-large-v3',
    chat: 'qwen2.5:7b',
    see: 'qwen2.5vl:7b',
    speak: 'kokoro-82m',
    voice: '',
  });
  expect(guessModels(['llava:13b'], 'llava:13b')).toMatchObject({ see: 'llava:13b', speak: '', transcribe: '' });
});
