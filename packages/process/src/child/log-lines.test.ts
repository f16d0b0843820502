import { expect, it } from 'vitest';
import { logLines } from './log-lines.ts';

function read(...chunks: string[]) {
  const read: [record: object, line: string][] = [];
  const push = logLines((record, line) => read.push([record, line]));
  for (const chunk of chunks) push(Buffer.from(chunk));
  return read;
}

it('reads records of a log wherever chunks end', () => {
  const record = { level: 'info', msg: 'ready' };
  const line = JSON.stringify(record);
  for (let at = 0; at <= line.length; at += 1) {
    expect(read(line.slice(0, at), `${line.slice(at)}\n`)).toEqual([[record, line]]);
  }
});

it('hands over other output as text, without empty lines', () => {
  expect(read('native code\n\n"text"\n[1\n')).toEqual([
    [{}, 'native code'],
    [{}, '"text"'],
    [{}, '[1'],
  ]);
});

it('keeps a bounded part of a line without an end', () => {
  const chunks = Array.from({ length: 300 }, () => 'x'.repeat(1024));
  expect(read(...chunks, '\n')[0]?.[1]).toHaveLength(64 * 1024);
});
