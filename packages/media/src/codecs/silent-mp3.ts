import { parseMp3Header } from './mp3.ts';

/** Sync, version, layer III and no checksum: of MPEG-1, and of versions 2 and 2.5 with half and a quarter of its sample rates. */
const heads = [0xfffb, 0xfff3, 0xffe3];
/** The lowest bitrate. */
const bitrate = 1;
const rates = [0, 1, 2];

/** Builds a silent MP3 frame; undefined for a sample rate or channel count without MP3. Its side information declares no data. */
export function silentMp3(sampleRate: number, channels: number): Buffer | undefined {
  if (channels !== 1 && channels !== 2) return undefined;
  const mode = channels === 1 ? 0xc0 : 0;
  for (const head of heads) {
    for (const rate of rates) {
      const header = Buffer.from([head >>> 8, head & 0xff, (bitrate << 4) | (rate << 2), mode]);
      const found = parseMp3Header(header);
      if (found?.sampleRate === sampleRate) return Buffer.concat([header], found.frameBytes);
    }
  }
  return undefined;
}
