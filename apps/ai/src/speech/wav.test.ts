import { expect, it } from 'vitest';
import { readWav } from './wav.ts';

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
function format(channels = 1, rate = 16_000, bits = 16, kind = 1): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(kind, 0);
  body.writeUInt16LE(channels, 2);
  body.writeUInt32LE(rate, 4);
  body.writeUInt16LE(bits, 14);
  return chunk('fmt ', body);
}
const wav = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...chunks]);
const data = chunk('data', Buffer.from([0, 0, 0, 0x40, 0, 0x80]));

it('reads WAV samples past unknown chunks and wrong lengths', () => {
  expect([...readWav(wav(format(), data))]).toEqual([0, 0.5, -1]);
  expect([...readWav(wav(chunk('LIST', Buffer.alloc(5)), format(), data))]).toEqual([0, 0.5, -1]);
  const streamed = Buffer.from(data);
  streamed.writeUInt32LE(0xffffffff, 4);
  expect([...readWav(wav(format(), streamed))]).toEqual([0, 0.5, -1]);
});

it.each([
  Buffer.alloc(0),
  Buffer.from('RIFF'),
  Buffer.alloc(100),
  wav(),
  wav(data),
  wav(format()),
  wav(chunk('fmt ', Buffer.alloc(3)), data),
  wav(format(2), data),
  wav(format(1, 48_000), data),
  wav(format(1, 16_000, 8), data),
  wav(format(1, 16_000, 16, 3), data),
])('refuses a file that is not WAV', (file) => {
  expect(() => readWav(file)).toThrow(/WAV/);
});
