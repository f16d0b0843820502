/** Encoders that can make the rungs of a ladder, the preferred first: those of graphics chips leave the processor free. */
export const ladderEncoders = [
  'h264_nvenc',
  'h264_qsv',
  'h264_vaapi',
  'h264_videotoolbox',
  'h264_v4l2m2m',
  'libx264',
  'libx265',
] as const;
export type LadderEncoder = (typeof ladderEncoders)[number];

/** Presets of software encoders, the cheapest first. */
export const ladderPresets = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'] as const;
export type LadderPreset = (typeof ladderPresets)[number];

/** One lower quality of a stream that is made here. `lines`: shorter side of the picture. */
export interface LadderRung {
  readonly lines: number;
  readonly kbps: number;
}

export const ladderLimits = {
  rungs: 6,
  lines: { least: 90, most: 2160 },
  kbps: { least: 50, most: 50_000 },
} as const;

/** Form of the device file that VAAPI encodes with. */
export const renderDevice = /^\/dev\/dri\/renderD\d{1,4}$/;

/** Encoder settings of one ladder. */
export interface LadderEncoding {
  readonly encoder: LadderEncoder;
  /** For software encoders. */
  readonly preset: LadderPreset;
  /** For VAAPI; empty otherwise. */
  readonly device: string;
  readonly rungs: readonly LadderRung[];
}
