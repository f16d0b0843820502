/** Options by which ffmpeg reports to `ProgressParser`, and keeps its standard error for words. */
export function progressOptions(descriptor = 1): string[] {
  return ['-progress', `pipe:${descriptor}`, '-nostats', '-stats_period', '0.5'];
}

/** Report of `-progress`: sums and averages since the start. */
export interface ProgressReport {
  readonly frames: number | undefined;
  readonly q: string | undefined;
  readonly bytes: number | undefined;
  readonly mediaMs: number | undefined;
  readonly fps: number | undefined;
  readonly kbps: number | undefined;
  readonly speed: number | undefined;
  readonly droppedFrames: number;
}

const longestLine = 200;
const mostFields = 64;

/** Reads the lines `name=value` that ffmpeg writes, a report at a time, however they are cut. */
export class ProgressParser {
  #open = '';
  #fields = new Map<string, string>();

  push(text: string): ProgressReport[] {
    const reports: ProgressReport[] = [];
    const lines = (this.#open + text).split('\n');
    // Longer input without a line end cannot be a report.
    this.#open = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) {
      const at = line.indexOf('=');
      if (at <= 0 || line.length > longestLine) continue;
      const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      if (name === 'progress') {
        reports.push(reportOf(this.#fields));
        this.#fields = new Map();
      } else if (this.#fields.size < mostFields) {
        this.#fields.set(name, value);
      }
    }
    return reports;
  }
}

function reportOf(fields: ReadonlyMap<string, string>): ProgressReport {
  // `out_time_ms` is in microseconds too, by an old mistake of ffmpeg's; this one says so.
  const mediaUs = numberOf(fields.get('out_time_us'));
  return {
    frames: numberOf(fields.get('frame')),
    q: [...fields].find(([name]) => /^stream_\d+_\d+_q$/.test(name))?.[1],
    bytes: numberOf(fields.get('total_size')),
    mediaMs: mediaUs === undefined ? undefined : mediaUs / 1000,
    fps: numberOf(fields.get('fps')),
    kbps: numberOf(fields.get('bitrate')),
    speed: numberOf(fields.get('speed')),
    droppedFrames: numberOf(fields.get('drop_frames')) ?? 0,
  };
}

/** `500.1kbits/s`, `1.02x`, `N/A`. Before its first packet ffmpeg writes the smallest number there is as a time. */
function numberOf(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '');
  return Number.isFinite(number) && Math.abs(number) < 1e15 ? number : undefined;
}

/** Status line in the format of ffmpeg's terminal output without blanks, which Oryx's clients show and parse. */
export function progressLine({ frames, q, bytes, mediaMs, fps, kbps, speed }: ProgressReport): string {
  return [
    ...(frames === undefined ? [] : [`frame=${frames}`]),
    ...(fps === undefined || frames === undefined ? [] : [`fps=${fps}`]),
    ...(q === undefined ? [] : [`q=${q}`]),
    `size=${bytes === undefined ? 'N/A' : `${Math.round(bytes / 1024)}kB`}`,
    `time=${mediaMs === undefined ? 'N/A' : clockOf(mediaMs)}`,
    `bitrate=${kbps === undefined ? 'N/A' : `${kbps}kbits/s`}`,
    `speed=${speed === undefined ? 'N/A' : `${speed}x`}`,
  ].join(' ');
}

function clockOf(ms: number): string {
  const hundredths = Math.round(Math.abs(ms) / 10);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.floor(hundredths / 100);
  const text = `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
  return ms < 0 ? `-${text}` : text;
}
