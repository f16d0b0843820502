import {
  joinObus,
  type MediaFrame,
  obuType,
  sequenceHeader,
  splitObus,
  toAv1Config,
  toVp9Config,
  type VideoConfig,
} from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { isTsCodec, type SlateForm } from './slate-args.ts';
import type { SlateLoop } from './slate-loop.ts';

type Picture = SlateLoop['pictures'][number];

const temporalDelimiter = 2;
/** Of an IVF file, and of each picture in it. */
const ivfHeaderBytes = 32;
const ivfFrameBytes = 12;

/** The loop in what ffmpeg made; undefined when there is none. `isFilm`: all of it, else the first group. */
export function readLoop(bytes: Buffer, form: SlateForm, isFilm: boolean): SlateLoop | undefined {
  const { codec, fps, width, height } = form;
  const { video, pictures } = isTsCodec(codec) ? readTs(bytes) : readIvf(bytes, codec);
  const next = isFilm ? -1 : pictures.findIndex(({ isKeyframe }, at) => at > 0 && isKeyframe);
  const shown = next < 0 ? pictures : pictures.slice(0, next);
  if (!video || !shown[0]?.isKeyframe) return undefined;
  return { video: { ...video, width, height, fps }, pictures: shown, intervalMs: 1000 / fps };
}

function readTs(bytes: Buffer): { video: VideoConfig | undefined; pictures: Picture[] } {
  let video: VideoConfig | undefined;
  const pictures: Picture[] = [];
  const demuxer = new MpegTsDemuxer();
  for (const item of [...demuxer.push(bytes), ...demuxer.flush()]) {
    if (item.type === 'config' && item.config.kind === 'video') video ??= item.config;
    if (item.type === 'frame' && item.frame.kind === 'video') {
      pictures.push({ isKeyframe: item.frame.isKeyframe, payload: Buffer.from(item.frame.payload) });
    }
  }
  return { video, pictures };
}

function readIvf(bytes: Buffer, codec: VideoConfig['codec']): { video: VideoConfig | undefined; pictures: Picture[] } {
  let video: VideoConfig | undefined;
  const pictures: Picture[] = [];
  for (let at = ivfHeaderBytes; at + ivfFrameBytes <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    const unit = bytes.subarray(at + ivfFrameBytes, at + ivfFrameBytes + length);
    at += ivfFrameBytes + length;
    if (codec === 'vp9') {
      // show_existing_frame and frame_type, behind the marker and the profile.
      const isKeyframe = ((unit[0] ?? 0) & 0x0c) === 0;
      if (isKeyframe) video ??= toVp9Config(unit);
      pictures.push({ isKeyframe, payload: Buffer.from(unit) });
      continue;
    }
    const obus = splitObus(unit).filter((obu) => obuType(obu) !== temporalDelimiter);
    const header = obus.find((obu) => obuType(obu) === sequenceHeader);
    if (header) video ??= toAv1Config(header);
    pictures.push({ isKeyframe: header !== undefined, payload: joinObus(obus) });
  }
  return { video, pictures };
}

/** One round out of three rounds of music: AAC frames of which any number may follow each other. */
export function readMusic(bytes: Buffer, frames: number): readonly MediaFrame['payload'][] | undefined {
  const all: Buffer[] = [];
  const demuxer = new MpegTsDemuxer();
  for (const item of [...demuxer.push(bytes), ...demuxer.flush()]) {
    if (item.type === 'frame' && item.frame.kind === 'audio') all.push(Buffer.from(item.frame.payload));
  }
  const round = all.slice(frames, 2 * frames);
  return frames > 0 && round.length === frames ? round : undefined;
}
