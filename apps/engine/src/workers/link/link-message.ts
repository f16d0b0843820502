import type { AudioCodec, MediaFrame, TrackConfig, VideoCodec } from '@weir/media';

/**
 * Messages between the engine and a worker:
 *
 *   0       4      5         9
 *   | bytes | kind | number  | body …
 *
 * `bytes` is the length of the rest. A note is JSON; a frame has its own short head before the payload:
 *
 *   0       1       2         10        18
 *   | codec | flags | dts ms  | pts ms  | payload …
 *
 * `number` says whose frame it is: a stream's on the way out, a publisher's on the way in, where its upper 8 bits are the layer of a
 * lower quality or the number of an alternative audio track, counted from 1.
 */
export const messageKind = { note: 1, frame: 2 } as const;
export const lengthBytes = 4;
export const headBytes = 9;
const frameHeadBytes = 18;
/** Exceeds messages of publishers, which end at 8 MB; longer ones are invalid. */
export const mostMessageBytes = 16 * 1024 * 1024;
const keyframeFlag = 1;

const codecs: readonly (VideoCodec | AudioCodec)[] = ['h264', 'h265', 'av1', 'vp9', 'aac', 'mp3', 'opus'];
const videoCodecs = 4;

/** JSON message: its type and the fields of that type. */
export interface WorkerMessage {
  readonly type: string;
}

/** Invalid bytes from the other end, which closes the link. */
export class BrokenLink extends Error {
  override readonly name = 'BrokenLink';
}

export function writeNote(note: WorkerMessage): Buffer {
  const text = Buffer.from(JSON.stringify(note));
  const message = Buffer.allocUnsafe(headBytes + text.length);
  writeHead(message, messageKind.note, 0, text.length);
  text.copy(message, headBytes);
  return message;
}

export function readNote(body: Buffer): WorkerMessage {
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (typeof value !== 'object' || value === null || !('type' in value)) throw new BrokenLink('not a note');
  return value as WorkerMessage;
}

/** Header before the payload, with space behind it. */
export function writeFrameHead(number: number, frame: MediaFrame, room = 0): Buffer {
  const message = Buffer.allocUnsafe(headBytes + frameHeadBytes + room);
  writeHead(message, messageKind.frame, number, frameHeadBytes + frame.payload.length);
  message[headBytes] = codecs.indexOf(frame.codec);
  message[headBytes + 1] = frame.isKeyframe ? keyframeFlag : 0;
  message.writeDoubleBE(frame.dtsMs, headBytes + 2);
  message.writeDoubleBE(frame.ptsMs, headBytes + 10);
  return message;
}

export function readFrame(body: Buffer): MediaFrame {
  const index = body[0] ?? codecs.length;
  const codec = codecs[index];
  if (codec === undefined || body.length < frameHeadBytes) throw new BrokenLink('not a frame');
  return {
    kind: index < videoCodecs ? 'video' : 'audio',
    codec,
    dtsMs: body.readDoubleBE(2),
    ptsMs: body.readDoubleBE(10),
    isKeyframe: ((body[1] ?? 0) & keyframeFlag) !== 0,
    payload: body.subarray(frameHeadBytes),
  };
}

const layerUnit = 2 ** 24;

/** Number of a publisher's frame of a lower quality, or of an alternative audio track. */
export const writeLayerNumber = (client: number, layer: number): number => client + (layer + 1) * layerUnit;

/** Publisher and layer of a frame; the layer is undefined for the stream itself. */
export function readLayerNumber(number: number): { readonly client: number; readonly layer: number | undefined } {
  const client = number % layerUnit;
  return { client, layer: number === client ? undefined : Math.floor(number / layerUnit) - 1 };
}

/** A config in a note: its record as text. */
export type NotedConfig = Omit<TrackConfig, 'record'> & { readonly record: string };

export function noteConfig(config: TrackConfig): NotedConfig {
  return { ...config, record: config.record.toString('base64') };
}

export function readConfig(noted: NotedConfig): TrackConfig {
  return { ...noted, record: Buffer.from(noted.record, 'base64') } as TrackConfig;
}

function writeHead(message: Buffer, kind: number, number: number, bodyBytes: number): void {
  message.writeUInt32BE(headBytes - lengthBytes + bodyBytes, 0);
  message[lengthBytes] = kind;
  message.writeUInt32BE(number, lengthBytes + 1);
}
