export const wavHeaderBytes = 44;

/** Header of a WAV file with mono 16-bit PCM. Runs in browsers too. */
export function wavHeader(pcmBytes: number, sampleRate: number): Uint8Array {
  const header = new Uint8Array(wavHeaderBytes);
  const view = new DataView(header.buffer);
  const text = (at: number, letters: string) => {
    for (let n = 0; n < letters.length; n++) header[at + n] = letters.charCodeAt(n);
  };
  text(0, 'RIFF');
  view.setUint32(4, wavHeaderBytes + pcmBytes - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, pcmBytes, true);
  return header;
}

/** Samples between -1 and 1 as a WAV file. */
export function encodeWav(samples: Float32Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(wavHeaderBytes + 2 * samples.length);
  file.set(wavHeader(2 * samples.length, sampleRate));
  const view = new DataView(file.buffer);
  samples.forEach((sample, index) => {
    view.setInt16(wavHeaderBytes + 2 * index, Math.round(32_767 * Math.max(-1, Math.min(1, sample))), true);
  });
  return file;
}
