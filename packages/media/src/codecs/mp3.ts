interface Mp3Header {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitrateKbps: number;
  /** The whole frame with its header. */
  readonly frameBytes: number;
  readonly frameSamples: number;
}

const bitratesMpeg1: readonly number[] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const bitratesMpeg2: readonly number[] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const sampleRatesMpeg1: readonly number[] = [44_100, 48_000, 32_000];

/**
 * The header of an MPEG audio layer III frame (ISO 11172-3, 2.4.1.3), or undefined when these bytes are none:
 *
 *     sync:11  version:2  layer:2  noCrc:1 | bitrate:4  rate:2  padding:1  private:1 | mode:2 …
 */
export function parseMp3Header(frame: Buffer): Mp3Header | undefined {
  if (frame.length < 4) return undefined;
  const word = frame.readUInt32BE(0);
  const version = (word >>> 19) & 3;
  const layer = (word >>> 17) & 3;
  if (word >>> 21 !== 0x7ff || version === 1 || layer !== 1) return undefined;
  const isMpeg1 = version === 3;
  const bitrateKbps = (isMpeg1 ? bitratesMpeg1 : bitratesMpeg2)[(word >>> 12) & 0xf] ?? 0;
  const mpeg1Rate = sampleRatesMpeg1[(word >>> 10) & 3];
  // Free format (0) names no length, so such a frame cannot be cut out of a stream.
  if (bitrateKbps === 0 || !mpeg1Rate) return undefined;
  // Version 2 halves the rates, version 2.5 (coded 0) quarters them.
  const sampleRate = isMpeg1 ? mpeg1Rate : mpeg1Rate / (version === 2 ? 2 : 4);
  const frameSamples = isMpeg1 ? 1152 : 576;
  const padding = (word >>> 9) & 1;
  return {
    sampleRate,
    channels: ((word >>> 6) & 3) === 3 ? 1 : 2,
    bitrateKbps,
    frameBytes: Math.floor((frameSamples * 125 * bitrateKbps) / sampleRate) + padding,
    frameSamples,
  };
}
