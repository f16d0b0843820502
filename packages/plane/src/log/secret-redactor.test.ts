import { expect, it } from 'vitest';
import { SecretRedactor } from './secret-redactor.ts';

const secret = '0123456789abcdef0123456789ABCDEF';
const hidden = new SecretRedactor([secret]);

it.each([
  [`live/show-${secret}`, 'live/show-[hidden]'],
  [`live/show${secret}`, 'live/show[hidden]'],
  [`${secret}-cam.${secret}`, '[hidden]-cam.[hidden]'],
  [`show-${secret.toUpperCase()}`, 'show-[hidden]'],
  [`show-${secret.slice(1)}`, 'show-[hidden]'],
  [`show-${secret.slice(0, -1)}x-cam`, 'show-[hidden]-cam'],
  ['live/show', 'live/show'],
  ['0123456789abcde', '0123456789abcde'],
])('writes %s as %s', (text, written) => {
  expect(hidden.hide(text)).toBe(written);
});

it('hides a secret with one character wrong at any position', () => {
  for (const length of [8, 9, 15, 16, 17, 31, 32, 128]) {
    const long = Array.from({ length }, (_, at) => 'kqxzvwjyhgfdbptn'[(at * 7 + (at >> 3)) % 16]).join('');
    const texts = new SecretRedactor([long]);
    expect(texts.hide(`a-${long}-b`)).toBe('a-[hidden]-b');
    if (length < 16) continue;
    for (let at = 0; at < length; at++)
      expect(texts.hide(`a-${long.slice(0, at)}0${long.slice(at + 1)}-b`)).toBe('a-[hidden]-b');
  }
});

it('compares secrets literally, and keeps numbers and keys of a record intact', () => {
  const texts = new SecretRedactor(['a.b-c~d_12345678']);
  expect(texts.hide('axbxcxdx123 a.b-c~d_12345678')).toBe('axbxcxdx123 [hidden]');
  const line = '{"bytes":12345678901,"stream":"live/12345678901","text":"say \\"12345678\\""}\n';
  const shown = new SecretRedactor(['12345678']).hideInJson(line);
  expect(JSON.parse(shown)).toEqual({ bytes: 12345678901, stream: 'live/[hidden]901', text: 'say "[hidden]"' });
});

it('hides nothing while there are no secrets', () => {
  const texts = new SecretRedactor();
  expect([texts.isSet, texts.hide('x')]).toEqual([false, 'x']);
  texts.set(['']);
  expect([texts.isSet, texts.hide('x')]).toEqual([true, 'x']);
});

it('hides further secrets beside the first, and forgets those that are replaced', () => {
  const texts = new SecretRedactor([secret]);
  texts.setExact('ai', ['sk-first-key-0001', 'short']);
  texts.setExact('ai', ['sk-other-key-0002']);
  expect(texts.hide(`sk-first-key-0001 sk-other-key-0002 short ${secret}`)).toBe(
    'sk-first-key-0001 [hidden] short [hidden]',
  );
});
