import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlanes } from './pixels.ts';
import { findTextBoxes } from './text-boxes.ts';
import { decodeCtc, toReadingOrder } from './text-reader.ts';
import { readImageSize } from './vision-routes.ts';
import { addWordSpaces } from './word-gaps.ts';

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

describe('readImageSize', () => {
  const jpeg = (...parts: number[][]) =>
    Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts.map((part) => Buffer.from(part)), Buffer.alloc(40)]);
  const frame = [0xff, 0xc0, 0, 17, 8, 0x02, 0xd0, 0x05, 0x00, 3];

  it('reads a PNG, and a JPEG past tables and fill bytes', () => {
    const expected = { format: 'jpeg_pipe', width: 1280, height: 720 };
    expect(readImageSize(jpeg(frame))).toEqual(expected);
    expect(readImageSize(jpeg([0xff, 0xe0, 0, 4, 1, 2], [0xff, 0xff, 0xc4, 0, 3, 9], [...frame]))).toEqual(expected);
    const png = Buffer.alloc(40);
    png.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
    png.writeUInt32BE(64, 16);
    png.writeUInt32BE(32, 20);
    expect(readImageSize(png)).toEqual({ format: 'png_pipe', width: 64, height: 32 });
  });

  it('returns undefined for anything else without throwing', () => {
    expect(readImageSize(jpeg([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3]))).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readImageSize(Buffer.from(bytes))));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readImageSize(jpeg([...bytes]))));
  });
});

describe('findTextBoxes', () => {
  const width = 100;
  const height = 60;
  const mapOf = (...marks: [ReturnType<typeof box>, number][]) => {
    const values = new Float32Array(width * height);
    for (const [{ left, top, right, bottom }, value] of marks)
      for (let y = top; y < bottom; y++) values.fill(value, y * width + left, y * width + right);
    return { width, height, values };
  };

  it('returns boxes with a margin around the text', () => {
    const found = findTextBoxes(mapOf([box(10, 10, 70, 18), 0.9], [box(20, 40, 40, 50), 0.8]));
    expect(found).toHaveLength(2);
    const [first] = found;
    expect(first?.left).toBeCloseTo(10 - 5.65, 1);
    expect(first?.bottom).toBeCloseTo(18 + 5.65, 1);
  });

  it('ignores uncertain regions and specks, and stays inside the image', () => {
    expect(findTextBoxes(mapOf([box(10, 10, 70, 18), 0.35], [box(80, 40, 82, 42), 0.9]))).toEqual([]);
    expect(findTextBoxes(mapOf([box(0, 0, width, height), 1]))).toEqual([box(0, 0, width, height)]);
  });

  it('limits the number of boxes', () => {
    const noise = mapOf();
    noise.values.forEach((_, at) => {
      noise.values[at] = at % 5 < 3 && Math.floor(at / width) % 4 < 3 ? 0.9 : 0;
    });
    expect(findTextBoxes(noise)).toHaveLength(100);
  });
});

it('decodes CTC output: merges repeats and skips blanks', () => {
  const steps = [1, 1, 0, 1, 2, 2, 0, 0, 4];
  const scores = new Float32Array(steps.length * 5);
  for (const [step, best] of steps.entries()) scores[step * 5 + best] = step === 0 ? 0.5 : 1;
  const characters = [
    { character: 'a', x: 1 },
    { character: 'a', x: 3.5 },
    { character: 'b', x: 5 },
    { character: ' ', x: 8.5 },
  ];
  expect(decodeCtc(scores, 5, ['a', 'b', 'c', ' '])).toEqual({ characters, confidence: 0.875 });
  expect(decodeCtc(new Float32Array(10), 5, ['a'])).toEqual({ characters: [], confidence: 0 });
});

it('orders boxes by line, from left to right', () => {
  const [title, left, right, foot] = [box(0, 0, 50, 20), box(0, 32, 20, 50), box(60, 30, 90, 52), box(10, 60, 30, 70)];
  expect(toReadingOrder([foot, right, title, left])).toEqual([[title], [left, right], [foot]]);
  expect(toReadingOrder([])).toEqual([]);
});

it('shrinks an image by averaging into blue, green and red planes', () => {
  const pixels = Uint8Array.from([255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0].flatMap((value) => [value]));
  const scale = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
  const image = { width: 4, height: 1, pixels };
  expect([...toPlanes(image, box(0, 0, 4, 1), 2, 1, scale)].map((value) => Math.round(value * 100) / 100)).toEqual([
    0, 0, 0, 1, 1, 0,
  ]);
  expect(toPlanes(image, box(-5, -5, 50, 50), 3, 3, scale)).toHaveLength(27);
});

describe('addWordSpaces', () => {
  const height = 48;
  /** Letters as bars of 16 columns, with these gaps before each. */
  const drawLine = (text: string, gaps: readonly number[]) => {
    const width = 40 + gaps.reduce((sum, gap) => sum + gap + 16, 0);
    const plane = new Float32Array(width * height).fill(-0.9);
    let at = 20;
    const characters = [...text].map((character, index) => {
      at += gaps[index] ?? 0;
      for (let y = 12; y < 38; y++) plane.fill(0.8, y * width + at, y * width + at + 16);
      at += 16;
      return { character, x: at - 8 };
    });
    return addWordSpaces(characters, { planes: Float32Array.from([...plane, ...plane, ...plane]), width, height });
  };

  it('separates words that the image separates', () => {
    expect(drawLine('WEIRDEMO42', [0, 3, 4, 3, 15, 3, 4, 3, 15, 4])).toBe('WEIR DEMO 42');
    expect(drawLine('WEIR', [0, 3, 4, 3])).toBe('WEIR');
  });

  it('leaves small letters, spaced lettering, punctuation and scripts without spaces as they are', () => {
    expect(drawLine('Tonight', [0, 15, 3, 4, 3, 4, 3])).toBe('Tonight');
    expect(drawLine('WEIR', [0, 15, 15, 15])).toBe('WEIR');
    expect(drawLine('1:20.5', [0, 3, 15, 3, 15, 3])).toBe('1:20.5');
    expect(drawLine('天气预报', [0, 3, 15, 3])).toBe('天气预报');
  });

  it('adds nothing on a background without gaps', () => {
    const width = 200;
    const planes = new Float32Array(3 * width * height).map((_, at) => Math.sin(at * 12.9898) * 0.9);
    const characters = [...'AB'].map((character, index) => ({ character, x: 60 + index * 80 }));
    expect(addWordSpaces(characters, { planes, width, height })).toBe('AB');
  });
});
