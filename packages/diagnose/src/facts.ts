import type { Alert, CpuUser, Health, StreamMedia } from '@weir/contract';

/** What is known of a stream beside its samples. */
export interface StreamFacts {
  readonly nowMs: number;
  /** When its publisher came; undefined while nobody publishes. */
  readonly publishedAtMs: number | undefined;
  readonly media: StreamMedia | undefined;
  /** Frames per second that the video announces; 0 when it does not. */
  readonly announcedFps: number;
  /** Its owner asked for audio that is silent. */
  readonly isSilenceWanted: boolean;
  /** When publishers of this stream came lately, the last one included. */
  readonly publishedMs: readonly number[];
}

/** What is known of the server beside its samples. Undefined is not known. */
export interface ServerFacts {
  readonly nowMs: number;
  readonly health: Health;
  readonly alerts: readonly Alert[];
  readonly ffmpeg: 'there' | 'missing' | 'unknown';
  /** Descriptors in use and allowed, of the process that has the most of them. */
  readonly openFiles: { readonly used: number; readonly most: number } | undefined;
  /** Shares of all cores, by everybody and by processes of ours, the largest first. Known while the CPU is nearly full. */
  readonly cpuUse?:
    | { readonly all: number; readonly ours: readonly { readonly user: CpuUser; readonly share: number }[] }
    | undefined;
  /** What the disk lost in a day, on average. */
  readonly diskBytesPerDay: number | undefined;
  /** The newest moment that was written down. */
  readonly newestKeptMs: number;
  /** Runs in a container, and no address was set that WebRTC clients are told. */
  readonly lacksCandidate: boolean;
  /** The certificate is one that the server made itself. */
  readonly isSelfSigned: boolean;
  /** HTTPS is served by another program in front. */
  readonly isHttpsElsewhere: boolean;
}
