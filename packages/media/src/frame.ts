export type VideoCodec = 'h264' | 'h265' | 'av1' | 'vp9';
export type AudioCodec = 'aac' | 'mp3' | 'opus';

/** Decoder config of a video track, needed before its first frame. */
export interface VideoConfig {
  readonly kind: 'video';
  readonly codec: VideoCodec;
  /** The codec's configuration record as FLV and MP4 carry it: avcC, hvcC, av1C, vpcC. */
  readonly record: Buffer;
  /** 0 if the record does not say. */
  readonly width: number;
  readonly height: number;
  /** In words, as ffprobe prints them: `High`, `Main`; empty when not known. */
  readonly profile: string;
  readonly level: string;
  /** Read from the parameter sets; 0 if they do not say. */
  readonly fps: number;
}

/** Decoder config of an audio track, needed before its first frame. */
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
 * Coded video frame or audio packet in the canonical form that every packager reads. H.264 and H.265 are NAL units with
 * 4-byte lengths, without the parameter sets that the config holds; audio is one raw frame without ADTS. Times are
 * milliseconds and may have fractions; `ptsMs - dtsMs` is the composition offset.
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

/** Output of a demuxer, in order. */
export type Demuxed =
  | { readonly type: 'config'; readonly config: TrackConfig }
  | { readonly type: 'frame'; readonly frame: MediaFrame }
  | { readonly type: 'metadata'; readonly values: Readonly<Record<string, unknown>> };

/** Limit of tracks of one kind per publisher. Encoders have up to six audio tracks. */
export const mostTracks = 8;

/** Invalid input. Ends the connection it came from and no other. */
export class MalformedMedia extends Error {
  override readonly name = 'MalformedMedia';
}
