import { avcParameterSets } from '../../codecs/h264.ts';
import { hevcParameterSets } from '../../codecs/h265.ts';
import { parseMp3Header } from '../../codecs/mp3.ts';
import { toVp9Config } from '../../codecs/vp9.ts';
import { type Demuxed, MalformedMedia, type MediaFrame, type TrackConfig, type VideoConfig } from '../../frame.ts';
import { readFlvBody } from './flv-body.ts';
import { type FlvKind, toVideoConfig } from './flv-codec.ts';
import { changedRecord, type NalCodec, readPictureNals } from './picture-nals.ts';

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
    return item === undefined ? [] : this.accept(item);
  }

  /** Content of a body, from `readFlvBody` and `readFlvTracks`. */
  accept(item: Demuxed): Demuxed[] {
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
    if (config.codec === 'vp9') {
      // Reported with the next keyframe, unless it is known.
      if (this.#video?.codec !== 'vp9' || !this.#video.record.equals(config.record)) this.#video = config;
      return [];
    }
    this.#video = canonical;
    return [{ type: 'config', config: canonical }];
  }

  #readVideo(frame: MediaFrame): Demuxed[] {
    if (frame.codec === 'h264' || frame.codec === 'h265') return this.#readPicture(frame.codec, frame);
    if (this.#video?.codec !== frame.codec) return [];
    return frame.codec === 'vp9' ? this.#readVp9(this.#video, frame) : [{ type: 'frame', frame }];
  }

  /** VP9's configuration record has no picture size, so the config waits for a keyframe. */
  #readVp9(known: VideoConfig, frame: MediaFrame): Demuxed[] {
    const size = frame.isKeyframe ? vp9SizeOf(frame.payload) : undefined;
    if (!size) return known.width > 0 ? [{ type: 'frame', frame }] : [];
    const { width, height, profile } = size;
    if (known.width === width && known.height === height) return [{ type: 'frame', frame }];
    this.#video = { ...known, width, height, profile };
    return [
      { type: 'config', config: this.#video },
      { type: 'frame', frame },
    ];
  }

  #readPicture(codec: NalCodec, frame: MediaFrame): Demuxed[] {
    const isKnown = this.#video?.codec === codec;
    if (!isKnown && !frame.isKeyframe) return [];
    const { payload, parameterSets } = readPictureNals(codec, frame.payload, isKnown ? this.#nalLengthSize : 4);
    const items: Demuxed[] = [];
    if (parameterSets.length > 0) {
      const record = changedRecord(codec, parameterSets, isKnown ? this.#video?.record : undefined);
      if (record !== undefined) {
        if (!isKnown) this.#nalLengthSize = 4;
        this.#video = toVideoConfig(codec, record);
        items.push({ type: 'config', config: this.#video });
      }
    }
    if (this.#video?.codec !== codec || payload.length === 0) return items;
    items.push({ type: 'frame', frame: payload === frame.payload ? frame : { ...frame, payload } });
    return items;
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

/** Some senders call a picture a keyframe that is none: no reason to end their stream. */
function vp9SizeOf(payload: Buffer): Pick<VideoConfig, 'width' | 'height' | 'profile'> | undefined {
  try {
    return toVp9Config(payload);
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return undefined;
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
