/** Rate of the server's speech recognition; a higher one would waste bandwidth. */
export const sampleRate = 16_000;

/** Few enough arguments for every browser. */
const bytesAtOnce = 0x6000;

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  // A multiple of three, so that the pieces join without padding.
  for (let at = 0; at < bytes.length; at += bytesAtOnce)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + bytesAtOnce)));
  return text;
}
