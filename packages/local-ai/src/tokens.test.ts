import { expect, it } from 'vitest';
import { buildMoonshineTokens } from './tokens.ts';

const source = (words: readonly string[]) =>
  Buffer.from(`const llama_vocab_base64 = "${Buffer.from(words.join('\n')).toString('base64')}";\nexport const x = 1;`);

it('writes each token in base64 with its number, including added tokens', () => {
  const words = Array.from({ length: 32_000 }, (_, id) => (id === 3 ? '<0x00>' : id === 13 ? '<0x0A>' : `▁w${id}`));
  const lines = buildMoonshineTokens(source(words)).toString().split('\n');
  expect(lines).toHaveLength(32_769);
  const [text, id] = lines[5]?.split(' ') ?? [];
  expect([Buffer.from(text ?? '', 'base64').toString(), id]).toEqual(['▁w5', '5']);
  expect(lines[3]).toBe('AA== 3');
  expect(lines[13]).toBe('Cg== 13');
  expect(Buffer.from(lines[32_767]?.split(' ')[0] ?? '', 'base64').toString()).toBe('<<ST_767>>');
  expect(lines.at(-1)).toBe('');
});

it.each([source(['too', 'few']), Buffer.from('something else')])('rejects another source', (text) => {
  expect(() => buildMoonshineTokens(text)).toThrow('tokens, not 32000');
});
