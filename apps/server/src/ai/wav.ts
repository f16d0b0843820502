const headerBytes = 44;
const rate = 16_000;

/** PCM (16 kHz, mono, s16) as a WAV file. */
export function writeWav(pcm: Uint8Array): Uint8Array {
  return Buffer.concat([headerFor(pcm.length), pcm]);
}

/** The PCM in a file of exactly that kind, as pages of ours record; undefined: another one, which takes a program to read. */
export function readPcm(wav: Buffer): Buffer | undefined {
  const pcm = wav.subarray(headerBytes);
  const isOurs = pcm.length % 2 === 0 && wav.subarray(0, headerBytes).equals(headerFor(pcm.length));
  return isOurs ? pcm : undefined;
}

function headerFor(pcmBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes + pcmBytes - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(pcmBytes, 40);
  return header;
}
