import { joinNals, type MediaFrame, parseAvcRecord, type VideoConfig, writeAvcRecord } from '@weir/media';

/** Parameter sets of a 640x360 stream as x264 writes them. */
const sps = Buffer.from('6742c01eda0280bfe5c044000003000400000300c83c58ba80', 'hex');
const pps = Buffer.from('68ce0fc8', 'hex');
const record = writeAvcRecord([sps], [pps]);

export const avcConfig: VideoConfig = { kind: 'video', codec: 'h264', record, ...parseAvcRecord(record) };

/** A picture of one slice of so many octets. */
export function nalPicture(ms: number, isKeyframe: boolean, bytes: number): MediaFrame {
  const slice = Buffer.alloc(bytes, 0xab);
  slice[0] = isKeyframe ? 0x65 : 0x41;
  return { kind: 'video', codec: 'h264', dtsMs: ms, ptsMs: ms, isKeyframe, payload: joinNals([slice]) };
}
