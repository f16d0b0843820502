import { describe, expect, it } from 'vitest';
import { LineRing } from './line-ring.ts';

describe('LineRing', () => {
  it('keeps the last lines, however they are split', () => {
    const ring = new LineRing();
    for (const piece of ['one\ntw', 'o\r\nthree', '\rfour\n\n\n', 'fi', 've']) ring.push(piece);
    expect(ring.lines()).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(ring.last).toBe('five');
  });

  it('drops old lines and cuts long ones', () => {
    const ring = new LineRing();
    for (let n = 0; n < 1000; n++) ring.push(`line ${n}\n`);
    for (let n = 0; n < 1000; n++) ring.push('x'.repeat(100));
    expect(ring.lines()).toHaveLength(51);
    expect(ring.lines()[0]).toBe('line 950');
    expect(ring.last).toHaveLength(500);
  });

  it('hides the secrets it was given and those it recognises by their form', () => {
    const ring = new LineRing(['hush.hush', '']);
    ring.push('rtmp://x/hush.hush failed\nhttp://user:pass@host/?token=abc\n');
    expect(ring.lines()).toEqual(['rtmp://x/[hidden] failed', 'http://[hidden]@host/?token=[hidden]']);
  });
});
