import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasChanged, thumbnailSize } from './has-changed.ts';

const { width, height } = thumbnailSize;
const plain = (shade = 90) => new Uint8Array(width * height).fill(shade);

/** With a rectangle in another shade. */
function marked(x: number, y: number, across: number, down: number, shade: number): Uint8Array {
  const picture = plain();
  for (let row = y; row < y + down; row++) picture.fill(shade, row * width + x, row * width + x + across);
  return picture;
}

describe('an OCR picture', () => {
  it('is new when there was none, or one of another size', () => {
    expect(hasChanged(undefined, plain())).toBe(true);
    expect(hasChanged(new Uint8Array(4), plain())).toBe(true);
  });

  it('has changed when a small digit changed, wherever it is', () => {
    const spots = fc.record({ x: fc.nat(width - 4), y: fc.nat(height - 6) });
    fc.assert(
      fc.property(spots, ({ x, y }) => {
        // A digit of 20 lines in 720 is 3 × 5 here; across a border of squares at least a quarter of it is in one.
        const now = marked(x, y, 4, 6, 150);
        expect(hasChanged(plain(), now)).toBe(true);
        expect(hasChanged(now, plain())).toBe(true);
        expect(hasChanged(now, now)).toBe(false);
      }),
    );
  });

  it('has not changed by encoder or sensor noise, nor by a flicker of the whole image', () => {
    fc.assert(
      fc.property(fc.integer({ min: -12, max: 12 }), fc.uint8Array({ minLength: 997, maxLength: 997 }), (by, grain) => {
        const now = plain().map((shade, at) => shade + by + ((grain[at % grain.length] ?? 0) % 13));
        expect(hasChanged(plain(), now)).toBe(false);
      }),
    );
  });

  it('has not changed by single pixels', () => {
    const now = plain();
    for (let at = 0; at < now.length; at += 1999) now[at] = 255;
    expect(hasChanged(plain(), now)).toBe(false);
  });
});
