import type { Alert, CpuUser, Health, StreamMedia } from '@weir/contract';

/** Facts about a stream beside its samples. */
export interface StreamFacts {
  readonly nowMs: number;
  /** Undefined without a publisher. */
  readonly publishedAtMs: number | undefined;
  readonly media: StreamMedia | undefined;
  /** Frame rate declared in the video; 0 if it is not. */
  readonly announcedFps: number;
  /** The owner asked for silent audio. */
  readonly isSilenceWanted: boolean;
  /** Recent publish times, the current one included. */
  readonly publishedMs: readonly number[];
  /** Only for programs. */
  readonly program?: ProgramFacts | undefined;
}

/** A program by its inputs, in the order of preference. */
interface ProgramFacts {
  /** Id of an input, or of the slate, which is none of them. */
  readonly onAir: string;
  readonly onAirAtMs: number;
  /** An operator chose it. */
  readonly isHeld: boolean;
  readonly inputs: readonly { readonly id: string; readonly state: string }[];
}

/** Facts about the server besides its samples. Undefined means unknown. */
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
  /** Average loss of free disk space in a day. */
  readonly diskBytesPerDay: number | undefined;
  /** The newest moment that was written down. */
  readonly newestKeptMs: number;
  /** Runs in a container without a configured WebRTC candidate address. */
  readonly lacksCandidate: boolean;
  readonly isSelfSigned: boolean;
  /** A proxy in front serves HTTPS. */
  readonly isHttpsElsewhere: boolean;
}
