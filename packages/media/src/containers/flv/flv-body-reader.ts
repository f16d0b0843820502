import { avcParameterSets } from '../../codecs/h264.ts';
import { hevcParameterSets } from '../../codecs/h265.ts';
import { parseMp3Header } from '../../codecs/mp3.ts';
import { fromAnnexB, h264NalType, h265NalType, joinNals, NalCursor } from '../../codecs/nal.ts';
import type { Demuxed, MediaFrame, TrackConfig, VideoConfig } from '../../frame.ts';
import { readFlvBody } from './flv-body.ts';
import type { FlvKind } from './flv-codec.ts';

/**
 * The bodies of one stream, in order, in the canonical form: a config before every frame of its track, NAL units with
 * 4-byte lengths, parameter sets only in the config.
 */
export class FlvBodyReader {
  #video: VideoConfig | undefined;
  #audio: Pick<TrackConfig, 'codec'> | undefined;
  #nalLengthSize = 4;

  read(kind: FlvKind, timestampMs: number, body: Buffer): Demuxed[] {
    const item = readFlvBody(kind, timestampMs, body);
    if (item === undefined) return [];
    if (item.type === 'config') return this.#readConfig(item.config);
    if (item.type === 'metadata') return [item];
    return item.frame.kind === 'video' ? this.#readVideo(item.frame) : this.#readAudio(item, item.frame);
  }

  #readConfig(config: TrackConfig): Demuxed[] {
    if (config.kind === 'audio') {
      this.#audio = config;
      return [{ type: 'config', config }];
    }
    this.#nalLengthSize = nalLengthSizeOf(config);
    const canonical = this.#nalLengthSize === 4 ? config : { ...config, record: withFourByteLengths(config) };
    this.#video = canonical;
    return [{ type: 'config', config: canonical }];
  }

  #readVideo(frame: MediaFrame): Demuxed[] {
    if (this.#video?.codec !== frame.codec) return [];
    if (frame.codec !== 'h264' && frame.codec !== 'h265') return [{ type: 'frame', frame }];
    const payload = canonicalNals(frame.codec, frame.payload, this.#nalLengthSize);
    if (payload === frame.payload) return [{ type: 'frame', frame }];
    return payload.length === 0 ? [] : [{ type: 'frame', frame: { ...frame, payload } }];
  }

  #readAudio(item: Demuxed, frame: MediaFrame): Demuxed[] {
    if (this.#audio?.codec === frame.codec) return [item];
    if (frame.codec !== 'mp3') return [];
    const header = parseMp3Header(frame.payload);
    if (header === undefined) return [];
    const { sampleRate, channels } = header;
    const record = Buffer.alloc(0);
    const config: TrackConfig = { kind: 'audio', codec: 'mp3', record, sampleRate, channels, profile: '' };
    this.#audio = config;
    return [{ type: 'config', config }, item];
  }
}

function nalLengthSizeOf({ codec, record }: VideoConfig): number {
  if (codec === 'h264') return avcParameterSets(record).nalLengthSize;
  return codec === 'h265' ? hevcParameterSets(record).nalLengthSize : 4;
}

/** The same record, saying what the frames we pass on look like. */
function withFourByteLengths({ codec, record }: VideoConfig): Buffer {
  const copy = Buffer.from(record);
  const at = codec === 'h264' ? 4 : 21;
  copy[at] = copy.readUInt8(at) | 3;
  return copy;
}

/** Returns the payload itself when it is canonical already, as nearly every one is. */
function canonicalNals(codec: 'h264' | 'h265', payload: Buffer, lengthSize: number): Buffer {
  // Some hardware encoders send start codes against the rules. Read as a length, 00 00 00 01 would be a NAL unit of
  // one byte, which no picture begins with.
  const isAnnexB = lengthSize === 4 && payload.length > 5 && payload.readUInt32BE(0) === 1;
  const bytes = isAnnexB ? fromAnnexB(payload) : payload;
  const size = isAnnexB ? 4 : lengthSize;
  let isCanonical = size === 4;
  for (const cursor = new NalCursor(bytes, size); cursor.next(); ) {
    if (isParameterSet(codec, cursor.header)) isCanonical = false;
  }
  if (isCanonical) return bytes;
  const nals: Buffer[] = [];
  for (const cursor = new NalCursor(bytes, size); cursor.next(); ) {
    if (!isParameterSet(codec, cursor.header)) nals.push(cursor.view());
  }
  return joinNals(nals);
}

function isParameterSet(codec: 'h264' | 'h265', header: number): boolean {
  if (codec === 'h264') {
    const type = h264NalType(header);
    return type === 7 || type === 8;
  }
  const type = h265NalType(header);
  return type >= 32 && type <= 34;
}
