import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AudioConfig, Demuxed, MediaFrame, VideoConfig } from '../../frame.ts';
import { MpegTsDemuxer } from './mpegts-demuxer.ts';

/** A short recording, taken apart. */
export interface Clip {
  readonly bytes: Buffer;
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
  readonly frames: readonly MediaFrame[];
}

interface ProbedStream {
  readonly codec_type: 'video' | 'audio';
  readonly codec_name: string;
  readonly profile?: string;
  readonly level?: number;
  readonly width?: number;
  readonly height?: number;
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly r_frame_rate?: string;
}

interface ProbedPacket {
  readonly codec_type: 'video' | 'audio';
  readonly pts_time: string;
  readonly dts_time: string;
  readonly flags: string;
}

interface Probe {
  readonly streams: readonly ProbedStream[];
  readonly packets: readonly ProbedPacket[];
  /** Messages of ffmpeg while it decodes the whole clip. */
  readonly complaints: string;
}

export const testPicture = ['-f', 'lavfi', '-i', 'testsrc2=size=322x182:rate=30:duration=1'];
export const testTone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
export const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '10'];
export const x265 = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=error:keyint=10',
];

/** Has ffmpeg make MPEG-TS. */
export function encodeTs(...args: readonly string[]): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', ...args, '-f', 'mpegts', 'pipe:1'], { maxBuffer: 64 * 1024 * 1024 });
}

export function demuxAll(bytes: Buffer, chunkBytes = 1316): Demuxed[] {
  const demuxer = new MpegTsDemuxer();
  const found: Demuxed[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    found.push(...demuxer.push(bytes.subarray(at, at + chunkBytes)));
  found.push(...demuxer.flush());
  return found;
}

export function clipOf(bytes: Buffer): Clip {
  let video: VideoConfig | undefined;
  let audio: AudioConfig | undefined;
  const frames: MediaFrame[] = [];
  for (const item of demuxAll(bytes)) {
    if (item.type === 'frame') frames.push(item.frame);
    if (item.type !== 'config') continue;
    if (item.config.kind === 'video') video ??= item.config;
    else audio ??= item.config;
  }
  return { bytes, video, audio, frames };
}

export function probe(bytes: Buffer, extension: string): Probe {
  const folder = mkdtempSync(join(tmpdir(), 'weir-media-'));
  try {
    const file = join(folder, `clip.${extension}`);
    writeFileSync(file, bytes);
    const asked = ['-v', 'error', '-show_streams', '-show_packets', '-of', 'json', file];
    const { streams, packets } = JSON.parse(execFileSync('ffprobe', asked, { maxBuffer: 64 * 1024 * 1024 }).toString());
    const decoded = spawnSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-']);
    return { streams, packets, complaints: decoded.stderr.toString() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The clips every container is tried with, by what is in them. */
export const clipArgs: Readonly<Record<string, readonly string[]>> = {
  'H.264 with B-frames and AAC 44.1 kHz mono': [...testPicture, ...testTone, ...x264, '-bf', '2', '-c:a', 'aac'],
  'H.264 without B-frames and AAC 48 kHz stereo': [
    ...testPicture,
    ...testTone,
    ...x264,
    '-bf',
    '0',
    '-c:a',
    'aac',
    '-ar',
    '48000',
    '-ac',
    '2',
  ],
  'H.265 and AAC 48 kHz stereo': [...testPicture, ...testTone, ...x265, '-c:a', 'aac', '-ar', '48000', '-ac', '2'],
  'H.264 and MP3': [...testPicture, ...testTone, ...x264, '-c:a', 'libmp3lame', '-ar', '44100'],
  'H.264 and Opus': [...testPicture, ...testTone, ...x264, '-c:a', 'libopus', '-ac', '2'],
  'H.264 alone': [...testPicture, ...x264],
  'H.265 alone': [...testPicture, ...x265],
  'AAC alone': [...testTone, '-c:a', 'aac', '-ac', '2'],
  'AAC 5.1 alone': [...testTone, '-c:a', 'aac', '-ac', '6'],
  'MP3 of 22.05 kHz alone': [...testTone, '-c:a', 'libmp3lame', '-ar', '22050'],
  'Opus alone': [...testTone, '-c:a', 'libopus'],
};

/** Every way in which a muxed clip must be the clip it was made of. */
export function differencesOf(clip: Clip, muxed: Probe): string[] {
  const differences: string[] = [];
  if (muxed.complaints !== '') differences.push(`decoding: ${muxed.complaints}`);
  for (const config of [clip.video, clip.audio]) {
    if (!config) continue;
    const stream = muxed.streams.find(({ codec_type }) => codec_type === config.kind);
    const packets = muxed.packets.filter(({ codec_type }) => codec_type === config.kind);
    const frames = clip.frames.filter(({ kind }) => kind === config.kind);
    const name = config.codec === 'h265' ? 'hevc' : config.codec;
    if (stream?.codec_name !== name) differences.push(`codec ${stream?.codec_name} instead of ${name}`);
    if (config.kind === 'video' && (stream?.width !== config.width || stream.height !== config.height)) {
      differences.push(`size ${stream?.width}x${stream?.height}`);
    }
    if (
      config.kind === 'audio' &&
      (Number(stream?.sample_rate) !== config.sampleRate || stream?.channels !== config.channels)
    ) {
      differences.push(`sound of ${stream?.sample_rate} Hz and ${stream?.channels} channels`);
    }
    if (packets.length !== frames.length)
      differences.push(`${packets.length} packets of ${frames.length} ${name} frames`);
    for (const [index, packet] of packets.entries()) {
      const frame = frames[index];
      const dtsMs = Number(packet.dts_time) * 1000;
      if (frame && Math.abs(dtsMs - frame.dtsMs) > 0.1)
        differences.push(`${name} ${index} at ${dtsMs}, not ${frame.dtsMs}`);
      if (frame && Math.abs(Number(packet.pts_time) * 1000 - frame.ptsMs) > 0.1)
        differences.push(`${name} ${index} shown late`);
      if (frame && packet.flags.startsWith('K') !== frame.isKeyframe)
        differences.push(`${name} ${index}: keyframe flag`);
      if (index > 0 && dtsMs <= Number(packets[index - 1]?.dts_time) * 1000)
        differences.push(`${name} ${index}: dts goes back`);
    }
  }
  return differences;
}
