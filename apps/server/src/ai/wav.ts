import { wavHeader, wavHeaderBytes } from '@weir/media/wav';

const rate = 16_000;

/** PCM (16 kHz, mono, s16) as a WAV file. */
export function writeWav(pcm: Uint8Array): Uint8Array {
  return Buffer.concat([wavHeader(pcm.length, rate), pcm]);
}

/** The PCM in a file of exactly that kind, as pages of ours record; undefined: another one, which takes a program to read. */
export function readPcm(wav: Buffer): Buffer | undefined {
  const pcm = wav.subarray(wavHeaderBytes);
  const isOurs = pcm.length % 2 === 0 && wav.subarray(0, wavHeaderBytes).equals(wavHeader(pcm.length, rate));
  return isOurs ? pcm : undefined;
}
