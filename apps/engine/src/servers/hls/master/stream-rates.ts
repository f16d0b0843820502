import type { MediaFrame } from '@weir/media';
import type { HlsPackager } from '../../../packagers/hls/hls-packager.ts';
import type { HlsSource } from '../../../packagers/hls/hls-stream.ts';

export interface Bitrates {
  /** Bitrate of the largest segment, in bit/s. */
  readonly peak: number;
  readonly average: number;
}

/** A keyframe makes the first moment look larger than the stream is. */
const tellingMs = 1000;
const leastMs = 200;
/** Packaging overhead, and the usual excess of the largest segment over the average. */
const packaging = 1.06;
const fullest = 1.2;
/** Values before the first frame. */
const unknown: Bitrates = { peak: 2_000_000, average: 0 };
const mostKbps = 1_000_000;

/** Before there is a segment: by what there is of the first, and at its very beginning by what the encoder announces. */
export function expectedBitrates(
  metadata: HlsSource['metadata'],
  { bytes, durationMs }: HlsPackager['growing'],
): Bitrates {
  const measured = durationMs >= leastMs ? (8000 * bytes) / durationMs : 0;
  const announced = announcedKbps(metadata) * 1000 * packaging;
  const average = durationMs < tellingMs && announced > 0 ? announced : measured;
  return average > 0 ? { average, peak: average * fullest } : unknown;
}

/** Frames per second by the frames since the last keyframe; 0 while they are too few. */
export function measuredFps(cached: readonly MediaFrame[]): number {
  const pictures = cached.filter(({ kind }) => kind === 'video');
  const spanMs = spanOf(pictures);
  return spanMs >= tellingMs ? (1000 * (pictures.length - 1)) / spanMs : 0;
}

/** Encoders write what they are set to into the metadata of RTMP, in kbit/s. */
function announcedKbps({ videodatarate, audiodatarate }: Readonly<Record<string, unknown>>): number {
  return kbps(videodatarate) + kbps(audiodatarate);
}

function kbps(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostKbps ? value : 0;
}

function spanOf(frames: readonly MediaFrame[]): number {
  const [first] = frames;
  return first ? (frames.at(-1)?.dtsMs ?? first.dtsMs) - first.dtsMs : 0;
}
