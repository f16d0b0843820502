import { execFileSync } from 'node:child_process';
import { writeAvcRecord } from './h264.ts';
import { writeHevcRecord } from './h265.ts';
import { h264NalType, h265NalType, splitAnnexB } from './nal.ts';

const picture = (size: string, rate: string) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}`,
  '-frames:v',
  '2',
];

function encode(args: readonly string[], format: 'h264' | 'hevc'): Buffer[] {
  return splitAnnexB(execFileSync('ffmpeg', ['-v', 'error', ...args, '-f', format, 'pipe:1']));
}

/** The avcC of what x264 makes with these options. */
export function avcRecord(size: string, rate: string, ...options: readonly string[]): Buffer {
  const nals = encode([...picture(size, rate), '-c:v', 'libx264', ...options], 'h264');
  const ofType = (type: number) => nals.filter((nal) => h264NalType(nal.readUInt8(0)) === type).slice(0, 1);
  return writeAvcRecord(ofType(7), ofType(8));
}

/** The hvcC of what x265 makes with these options. */
export function hevcRecord(size: string, rate: string, ...options: readonly string[]): Buffer {
  const quiet = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'];
  const nals = encode([...picture(size, rate), ...quiet, ...options], 'hevc');
  const ofType = (type: number) => nals.filter((nal) => h265NalType(nal.readUInt8(0)) === type).slice(0, 1);
  return writeHevcRecord(ofType(32), ofType(33), ofType(34));
}

/** Real configuration records of each codec. */
export function realRecords(): { avc: Buffer; hevc: Buffer } {
  return {
    avc: avcRecord('322x182', '25', '-pix_fmt', 'yuv420p'),
    hevc: hevcRecord('322x182', '25', '-pix_fmt', 'yuv420p'),
  };
}
