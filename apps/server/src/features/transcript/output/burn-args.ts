interface Burn {
  readonly from: string;
  readonly subtitles: string;
  readonly to: string;
  /** As `parseForceStyle` gives it. */
  readonly style: string;
  /** As `parseCodecParams` gives them. */
  readonly codec: readonly string[];
}

/**
 * Burns text into a segment. All times stay as they are, to the tick: sound is copied, every picture keeps its own time, and the
 * muxer adds no delay of its own. So the output may stand for the segment in any playlist.
 */
export function burnArgs({ from, subtitles, to, style, codec }: Burn): string[] {
  const filter = `subtitles=filename=${escaped(subtitles)}:force_style=${escaped(style)}`;
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'warning',
    '-copyts',
    '-protocol_whitelist',
    'file',
    '-f',
    'mpegts',
    '-i',
    `file:${from}`,
    '-map',
    '0:v:0',
    '-map',
    '0:a?',
    '-vf',
    filter,
    ...codec,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:90000',
    '-c:a',
    'copy',
    '-muxdelay',
    '0',
    '-muxpreload',
    '0',
    '-avoid_negative_ts',
    'disabled',
    '-f',
    'mpegts',
    '-y',
    `file:${to}`,
  ];
}

/** Once for the value of an option, once for the filter among others: a path may hold anything. */
function escaped(value: string): string {
  const once = value.replace(/[\\':]/g, '\\$&');
  return once.replace(/[\\'[\],;]/g, '\\$&');
}
