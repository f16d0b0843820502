import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { MalformedMedia } from './frame.ts';

type Kind = 'rtmp' | 'flv' | 'mpegts' | 'codecs' | 'amf0';

const folder = join(import.meta.dirname, '../seeds');

/** Recordings of real programs by file name; `seeds/make.mjs` shows how they were made. */
export function seeds(kind: Kind): [string, Buffer][] {
  return readdirSync(join(folder, kind)).map((name) => [name, readFileSync(join(folder, kind, name))]);
}

/** Lengths as they stand in headers, of the sizes that overflow something. */
const largeNumbers = ['ff', 'ffff', '7fff', 'ffffff', '7fffff', 'ffffffff', '7fffffff', '80000000', '00000000'];

type Step =
  | { readonly how: 'cut' | 'remove' | 'double'; readonly at: number; readonly length: number }
  | { readonly how: 'set' | 'insert'; readonly at: number; readonly bytes: Buffer }
  | { readonly how: 'splice'; readonly at: number; readonly from: number; readonly other: Buffer };

function apply(bytes: Buffer, step: Step): Buffer {
  const at = step.at % (bytes.length + 1);
  const before = bytes.subarray(0, at);
  switch (step.how) {
    case 'cut':
      return before;
    case 'remove':
      return Buffer.concat([before, bytes.subarray(at + step.length)]);
    case 'double':
      return Buffer.concat([before, bytes.subarray(at, at + step.length), bytes.subarray(at)]);
    case 'set':
      return Buffer.concat([before, step.bytes, bytes.subarray(at + step.bytes.length)]);
    case 'insert':
      return Buffer.concat([before, step.bytes, bytes.subarray(at)]);
    case 'splice':
      return Buffer.concat([before, step.other.subarray(step.from % (step.other.length + 1))]);
  }
}

/** Seeds with bytes changed, cut off, taken out, doubled, put in, set to the largest numbers, or going on as another seed. */
export function mutated(originals: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const position = fc.nat({ max: 65_535 });
  // Headers stand in front, so half of the changes do.
  const at = fc.oneof(fc.nat({ max: 64 }), position);
  const few = fc.uint8Array({ minLength: 1, maxLength: 8 }).map((array) => Buffer.from(array));
  const bytes = fc.oneof(
    few,
    fc.constantFrom(...largeNumbers).map((text) => Buffer.from(text, 'hex')),
  );
  const step = fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ how: fc.constant('set'), at, bytes }),
    fc.record({ how: fc.constant('set'), at, bytes }),
    fc.record({ how: fc.constant('insert'), at, bytes }),
    fc.record({ how: fc.constantFrom('remove', 'double'), at, length: fc.integer({ min: 1, max: 2000 }) }),
    fc.record({ how: fc.constant('cut'), at: position, length: fc.constant(0) }),
    fc.record({ how: fc.constant('splice'), at, from: position, other: fc.constantFrom(...originals) }),
  );
  const steps = fc.array(step, { minLength: 1, maxLength: 6 });
  return fc.tuple(fc.constantFrom(...originals), steps).map(([seed, some]) => some.reduce(apply, seed));
}

/** Does the work; to say that the input is malformed is an answer, any other error is a fault. */
export function expectCivil(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
  }
}

/** Every beginning of the seed, or as many as keep the test short. */
export function* beginnings(seed: Buffer, most = 2000): Generator<Buffer> {
  const stride = Math.max(1, Math.ceil(seed.length / most));
  for (let end = 0; end <= seed.length; end += stride) yield seed.subarray(0, end);
}
