import { describe, expect, it } from 'vitest';
import { shortenWhisperEncoder } from './short-encoder.ts';

const field = (number: number, content: Buffer | string) =>
  Buffer.concat([Buffer.from([number * 8 + 2, Buffer.byteLength(content)]), Buffer.from(content)]);
const floats = (values: readonly number[]) => Buffer.from(Float32Array.from(values).buffer);
const tensor = (name: string, rows: number, values: readonly number[]) =>
  Buffer.concat([Buffer.from([8, rows, 8, values.length / rows, 16, 1]), field(8, name), field(9, floats(values))]);
const model = (graph: readonly Buffer[]) => Buffer.concat([Buffer.from([8, 7]), field(7, Buffer.concat(graph))]);

describe('the encoder of Whisper', () => {
  it('is shortened to the first positions, without shapes of inner values, and otherwise unchanged', () => {
    const other = tensor('encoder.conv1.bias', 1, [7, 8]);
    const whole = model([
      field(5, other),
      field(5, tensor('model.encoder.embed_positions.weight', 3, [1, 2, 3, 4, 5, 6])),
      field(13, 'a shape'),
    ]);
    const short = model([field(5, other), field(5, shortTensor())]);
    expect(shortenWhisperEncoder(whole, 2)).toEqual(short);
  });

  it.each([
    ['has fewer positions than are kept', model([field(5, tensor('embed_positions.weight', 1, [1, 2]))]), 'positions'],
    ['is cut off', model([field(5, 'x')]).subarray(0, 5), 'cut off'],
  ])('is refused if it %s', (_, broken, reason) => {
    expect(() => shortenWhisperEncoder(broken, 2)).toThrow(reason);
  });
});

/** Dimensions are written first. */
function shortTensor(): Buffer {
  return Buffer.concat([
    Buffer.from([8, 2, 8, 2, 16, 1]),
    field(8, 'model.encoder.embed_positions.weight'),
    field(9, floats([1, 2, 3, 4])),
  ]);
}
