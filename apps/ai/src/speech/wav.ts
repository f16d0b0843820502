import { badRequest } from '../ai-http-error.ts';

export const sampleRate = 16_000;

/** Reads 16 kHz mono 16-bit WAV. */
export function readWav(file: Buffer): Float32Array {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE')
    throw badRequest('The file is not a WAV file.');
  let isKnown = false;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const bytes = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + bytes);
    if (name === 'fmt ') {
      checkFormat(body);
      isKnown = true;
    }
    // Streamed files declare a wrong length.
    if (name === 'data' && isKnown) return toSamples(body);
    at += 8 + bytes + (bytes % 2);
  }
  throw badRequest('The WAV file contains no audio.');
}

function checkFormat(format: Buffer): void {
  const isPlain = format.length >= 16 && [1, 0xfffe].includes(format.readUInt16LE(0));
  const fits =
    isPlain && format.readUInt16LE(2) === 1 && format.readUInt32LE(4) === sampleRate && format.readUInt16LE(14) === 16;
  if (!fits) throw badRequest('The WAV file must be 16 kHz, mono and 16-bit.');
}

/** Copies, because the buffer may be unaligned. */
export function toSamples(pcm: Buffer): Float32Array {
  const whole = pcm.length - (pcm.length % 2);
  const values = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + whole));
  return Float32Array.from(values, (value) => value / 32_768);
}
