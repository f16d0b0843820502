/** Rate of the server's speech recognition; a higher one would waste bandwidth. */
export const sampleRate = 16_000;
const headerBytes = 44;

/** Encodes as WAV: mono, 16 bit. */
export function encodeWav(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + 2 * samples.length);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => {
    for (let n = 0; n < text.length; n++) bytes[at + n] = text.charCodeAt(n);
  };
  word(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, index) => {
    view.setInt16(headerBytes + 2 * index, Math.round(32_767 * Math.max(-1, Math.min(1, sample))), true);
  });
  return bytes;
}

/** Few enough arguments for every browser. */
const bytesAtOnce = 0x6000;

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  // A multiple of three, so that the pieces join without padding.
  for (let at = 0; at < bytes.length; at += bytesAtOnce)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + bytesAtOnce)));
  return text;
}
