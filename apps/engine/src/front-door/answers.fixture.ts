import { createLog } from '@weir/plane';
import { expect } from 'vitest';
import type { Got } from './front-door.fixture.ts';

export const standard = [
  ['server', 'Weir/1.2.3'],
  ['access-control-allow-origin', '*'],
  ['access-control-allow-headers', '*'],
  ['access-control-allow-methods', '*'],
  ['access-control-expose-headers', '*'],
] as const;

export function expectStandardHeaders({ rawHeaders }: Pick<Got, 'rawHeaders'>): void {
  for (const [name, value] of standard) {
    const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
    expect(values, name).toEqual([value]);
  }
}

export const mutedLog = createLog('engine', 'error');
mutedLog.level = 'silent';

/** Takes a raw response apart. */
export function parse(text: string): Got {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const rawHeaders = lines.flatMap((line) => line.split(/: (.*)/s).slice(0, 2));
  const headers: Record<string, string> = {};
  for (const line of lines) headers[line.split(': ')[0]?.toLowerCase() ?? ''] = line.split(': ')[1] ?? '';
  return { status: Number(first.split(' ')[1]), headers, rawHeaders, text: body };
}

export function expectFailure(got: Got, status: number, code: number): void {
  expect(got.status).toBe(status);
  expectStandardHeaders(got);
  expect(got.headers).toMatchObject({
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(JSON.parse(got.text)).toEqual({ code, data: { message: expect.any(String) } });
}
