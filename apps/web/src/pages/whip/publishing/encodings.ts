import type { PublishChoices } from './publish-choices.ts';

interface Size {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Lines from which on Chromium sends so many sizes of a picture. Of smaller pictures it leaves out the largest, not the smallest. */
const sizes = [
  { lines: 540, scales: [4, 2, 1] },
  { lines: 270, scales: [2, 1] },
] as const;
/** Share of the chosen bitrate by scale: a picture of a quarter of the pixels needs more than a quarter of the bits. */
const shares: Readonly<Record<number, number>> = { 1: 1, 2: 0.32, 4: 0.1 };
const leastBitrate = 100_000;

/** Encodings for a picture of this size, smallest first; one without a name if one quality is wanted or possible. */
export function planEncodings({ width = 0, height = 0 }: Size, choices: PublishChoices): RTCRtpEncodingParameters[] {
  const lines = Math.min(width, height);
  const several = choices.qualities === 'several' ? sizes.find((size) => lines >= size.lines) : undefined;
  const maxFramerate = Number(choices.frameRate);
  const bitrate = Number(choices.kbps) * 1000;
  if (!several) return [{ maxBitrate: bitrate, maxFramerate }];
  return several.scales.map((scale) => ({
    rid: `x${scale}`,
    scaleResolutionDownBy: scale,
    maxBitrate: bitrateAt(scale, bitrate),
    maxFramerate,
  }));
}

/** Bitrate of an encoding that was planned before, for another choice. */
export function bitrateOf({ scaleResolutionDownBy = 1 }: RTCRtpEncodingParameters, { kbps }: PublishChoices): number {
  return bitrateAt(scaleResolutionDownBy, Number(kbps) * 1000);
}

function bitrateAt(scale: number, bitrate: number): number {
  return Math.round(Math.max(leastBitrate, bitrate * (shares[scale] ?? 1)));
}
