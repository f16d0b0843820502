import { readFileSync } from 'node:fs';

/** A real SRS, where somebody has one. */
export const srsBinary = process.env.SRS_BINARY ?? '';

/** Tests that it cannot run: what SRS was configured with stands in its file. */
export function srsLess(): string[] {
  if (srsBinary === '') return ['tests/media/engines/srs*.test.ts'];
  const file = readFileSync(srsBinary);
  return [
    ...(file.includes('--rtc=on') ? [] : ['tests/media/engines/srs-webrtc.test.ts']),
    ...(file.includes('--srt=on') ? [] : ['tests/media/engines/srs-product.test.ts']),
  ];
}
