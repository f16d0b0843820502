/** Whether bytes begin as audio does, of whatever format: some servers answer in another than was asked for, or with a page. */
export function isAudio(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  // WAV, MP3 with tags, Ogg, FLAC, MP4.
  if (/^(RIFF|ID3|OggS|fLaC|.{4}ftyp)/s.test(head)) return true;
  // ADTS (AAC) and MP3 begin with eleven set bits.
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
}
