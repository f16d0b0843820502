import { describe, expect, it } from 'vitest';
import { MultipartReader, parseBoundary } from './multipart-reader.ts';

/** Parts as [file name, content]. */
function read(body: string, boundary: string, cuts: readonly number[]) {
  const reader = new MultipartReader(boundary);
  const bytes = Buffer.from(body, 'latin1');
  const parts: [string | undefined, string][] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    for (const event of reader.push(Buffer.from(bytes.subarray(from, to)))) {
      if (event.kind === 'part') parts.push([event.filename, '']);
      const last = parts.at(-1);
      if (event.kind === 'data' && last) last[1] += event.bytes.toString('latin1');
    }
    from = to;
  }
  return { parts, hasEnded: reader.hasEnded };
}

const part = (name: string, content: string) =>
  `--XX\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: video/mp4\r\n\r\n${content}\r\n`;
const content = 'one\r\n--X\r\n--XY\r\n-\r\n\r\n--X';

describe('a multipart body', () => {
  it('is read the same wherever it is split', () => {
    const body = `${part('a.mp4', content)}${part('b.mp4', '')}--XX--\r\n`;
    const whole = {
      parts: [
        ['a.mp4', content],
        ['b.mp4', ''],
      ],
      hasEnded: true,
    };
    for (let first = 0; first <= body.length; first++) expect(read(body, 'XX', [first])).toEqual(whole);
    expect(read(body, 'XX', [...Array(body.length).keys()])).toEqual(whole);
  });

  it('may have text before and after, and spaces behind a boundary', () => {
    const body = `hello\r\n${part('a.mp4', 'x').replace('--XX', '--XX \t')}--XX--\r\nbye`;
    expect(read(body, 'XX', [])).toEqual({ parts: [['a.mp4', 'x']], hasEnded: true });
  });

  it('that breaks off has not ended', () => {
    expect(read(part('a.mp4', 'x'), 'XX', []).hasEnded).toBe(false);
  });

  it.each([
    ['quotes of a browser', 'a%22b.mp4', 'a"b.mp4'],
    ['quotes of curl', 'a\\"b.mp4', 'a"b.mp4'],
    ['percent signs', '100%25.mp4', '100%25.mp4'],
  ])('has names with %s', (_what, written, name) => {
    expect(read(`${part(written, 'x')}--XX--`, 'XX', []).parts[0]?.[0]).toBe(name);
  });

  it('is refused when a header never ends, or a boundary is too long', () => {
    expect(() => read(`--XX\r\n${'a: b\r\n'.repeat(4000)}`, 'XX', [])).toThrow('too long');
    expect(() => read(`--XX${'y'.repeat(200)}`, 'XX', [])).toThrow('line end');
  });

  it.each([
    ['multipart/form-data; boundary=abc', 'abc'],
    ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
    ['application/json', undefined],
    ['multipart/form-data', undefined],
    [undefined, undefined],
  ])('finds its boundary in %j', (type, boundary) => {
    expect(parseBoundary(type)).toBe(boundary);
  });
});
