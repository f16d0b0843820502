import { expect, it } from 'vitest';
import { SampleRing } from './sample-ring.ts';

it('returns the samples that it still has, wherever they are cut', () => {
  const ring = new SampleRing<Uint8Array>(new Uint8Array(20), 2);
  const samples = (from: number, to: number) => {
    const pcm = Buffer.alloc((to - from) * 2);
    for (let n = from; n < to; n++) pcm.writeInt16LE(n, (n - from) * 2);
    return Uint8Array.from(pcm);
  };
  ring.push(samples(0, 3));
  ring.push(samples(3, 9));
  ring.push(samples(9, 14));
  expect(ring.slice(6, 12)).toEqual({ start: 6, samples: samples(6, 12) });
  expect(ring.slice(0, 20)).toEqual({ start: 4, samples: samples(4, 14) });
  expect(ring.slice(14, 30).samples).toHaveLength(0);
  ring.push(samples(14, 50));
  expect(ring.slice(0, 50)).toEqual({ start: 40, samples: samples(40, 50) });
});

it('keeps the newest samples of a ring of floating point numbers in order', () => {
  const ring = new SampleRing(new Float32Array(5));
  ring.push(Float32Array.of(1, 2, 3));
  ring.push(Float32Array.of(4, 5, 6, 7));
  expect([...ring.slice(3, 7).samples]).toEqual([4, 5, 6, 7]);
  ring.push(Float32Array.from({ length: 12 }, (_, n) => n));
  ring.push(Float32Array.of(12));
  expect([...ring.slice(0, ring.length).samples]).toEqual([8, 9, 10, 11, 12]);
});
