import { describe, expect, it } from 'vitest';
import { countRepeated } from './whisper-model.ts';
import { WhisperTokens } from './whisper-tokens.ts';

const tokens = new WhisperTokens(
  { 'ä½': 0, łå: 1, '¥½': 2, Ġhi: 3 },
  {
    decoder_start_token_id: 11,
    eos_token_id: 10,
    no_timestamps_token_id: 15,
    task_to_id: { transcribe: 14 },
    lang_to_id: { '<|zh|>': 12, '<|en|>': 13 },
    suppress_tokens: [1],
  },
);

describe('tokens of Whisper', () => {
  it('are bytes of characters, which may be spread over several of them', () => {
    expect(tokens.decode([0, 1, 2, 3])).toBe('你好 hi');
  });

  it('leave out a character that is cut off, and marks', () => {
    expect(tokens.decode([3, 0, 10, 12])).toBe('hi');
  });

  it('name languages by their codes', () => {
    expect([...tokens.languages]).toEqual([
      ['zh', 12],
      ['en', 13],
    ]);
  });

  it('are a loop when one comes eight times or a phrase four times', () => {
    expect(countRepeated(Array(8).fill(5))).toBe(7);
    expect(countRepeated([9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])).toBe(9);
    expect(countRepeated([1, 2, 1, 2, 1, 2, 3, 1, 2])).toBe(0);
  });
});
