import { expect, it } from 'vitest';
import { isAllowedOrigin, parseCommand } from './embed-messages.ts';

it.each([
  ['no object', 'play'],
  ['nothing', null],
  ['another version', { weir: 2, type: 'play' }],
  ['an unknown command', { weir: 1, type: 'constructor' }],
  ['no number', { weir: 1, type: 'volume', value: '0.5' }],
  ['a volume beyond one', { weir: 1, type: 'volume', value: 1.1 }],
  ['no volume at all', { weir: 1, type: 'volume', value: Number.NaN }],
])('ignores %s', (_what, data) => {
  expect(parseCommand(data)).toBeUndefined();
});

it('reads a command and its value', () => {
  expect(parseCommand({ weir: 1, type: 'volume', value: 0.5 })).toEqual({ type: 'volume', value: 0.5 });
  expect(parseCommand({ weir: 1, type: 'pause' })).toEqual({ type: 'pause', value: 0 });
});

it.each([
  ['https://www.example.com', true],
  ['http://www.example.com:8080', true],
  ['https://a.example.org', true],
  ['https://example.org', false],
  ['https://www.example.com.evil.test', false],
  ['https://evilexample.org', false],
  ['null', false],
  ['file://', false],
  ['', false],
])('a page of %s may operate the player: %s', (origin, isAllowed) => {
  expect(isAllowedOrigin(origin, ['www.example.com', '*.example.org'])).toBe(isAllowed);
});

it('every web page may where the owner names no sites', () => {
  expect(isAllowedOrigin('https://anywhere.test', [])).toBe(true);
  expect(isAllowedOrigin('chrome-extension://x', [])).toBe(false);
});
