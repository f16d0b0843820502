/** Accepted formats of speech. Others are rejected, so that no client receives a page or script instead. */
const signatures: readonly (readonly [head: RegExp, type: string])[] = [
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^.{4}ftyp/s, 'audio/mp4'],
  // Twelve set bits, then layer 0 (ADTS) or any other (MPEG audio, of which version 2.5 has eleven).
  [/^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
  [/^\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff]/, 'audio/mpeg'],
];

/** Detects the media type of audio by its first bytes; undefined for other data. Some servers answer in another format than requested. */
export function audioType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return signatures.find(([signature]) => signature.test(head))?.[1];
}
