export type VideoCodec = 'h264' | 'h265' | 'av1' | 'vp9';
export type AudioCodec = 'aac' | 'mp3' | 'opus';

/** What a decoder must know before the first video frame. */
export interface VideoConfig {
  readonly kind: 'video';
  readonly codec: VideoCodec;
  /** The codec's configuration record as FLV and MP4 carry it: avcC, hvcC, av1C, vpcC. */
  readonly record: Buffer;
  /** 0 where the record does not tell. */
  readonly width: number;
  readonly height: number;
  /** In words, as ffprobe prints them: `High`, `Main`; empty when not known. */
  readonly profile: string;
  readonly level: string;
  /** From the parameter sets; 0 when they do not tell. */
  readonly fps: number;
}

/** What a decoder must know before the first audio frame. */
export interface AudioConfig {
  readonly kind: 'audio';
  readonly codec: AudioCodec;
  /** AudioSpecificConfig, OpusHead; empty for mp3, which needs none. */
  readonly record: Buffer;
  readonly sampleRate: number;
  readonly channels: number;
  readonly profile: string;
}

export type TrackConfig = VideoConfig | AudioConfig;

/**
 * One coded picture or packet of sound, in the one form every packager reads. Video of H.264 and H.265 is NAL units with
 * 4-byte lengths and without parameter sets of its own track (they are in the config); audio is one raw frame, no ADTS.
 * Times are milliseconds and may have fractions; `ptsMs - dtsMs` is the composition offset.
 */
export interface MediaFrame {
  readonly kind: 'video' | 'audio';
  readonly codec: VideoCodec | AudioCodec;
  readonly dtsMs: number;
  readonly ptsMs: number;
  /** A decoder can start here. Every audio frame is one. */
  readonly isKeyframe: boolean;
  readonly payload: Buffer;
}

/** What a demuxer finds in a stream of bytes, in order. */
export type Demuxed =
  | { readonly type: 'config'; readonly config: TrackConfig }
  | { readonly type: 'frame'; readonly frame: MediaFrame }
  | { readonly type: 'metadata'; readonly values: Readonly<Record<string, unknown>> };

/** Input that cannot be what it claims to be. Costs the connection it came from, and nobody else. */
export class MalformedMedia extends Error {
  override readonly name = 'MalformedMedia';
}
