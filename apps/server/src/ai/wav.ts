const headerBytes = 44;
const rate = 16_000;

/** PCM (16 kHz, mono, s16) as a WAV file. */
export function wavOf(pcm: Uint8Array): Uint8Array {
  const out = Buffer.alloc(headerBytes + pcm.length);
  out.write('RIFF', 0, 'latin1');
  out.writeUInt32LE(out.length - 8, 4);
  out.write('WAVEfmt ', 8, 'latin1');
  out.writeUInt32LE(16, 16);
  out.writeUInt16LE(1, 20);
  out.writeUInt16LE(1, 22);
  out.writeUInt32LE(rate, 24);
  out.writeUInt32LE(rate * 2, 28);
  out.writeUInt16LE(2, 32);
  out.writeUInt16LE(16, 34);
  out.write('data', 36, 'latin1');
  out.writeUInt32LE(pcm.length, 40);
  out.set(pcm, headerBytes);
  return out;
}
