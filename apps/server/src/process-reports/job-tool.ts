import type { ToolOptions } from '@weir/process';
import { JobError } from './job-error.ts';

interface JobTool extends Pick<ToolOptions, 'command' | 'args' | 'onOutput'> {
  /** Killed when it has said nothing for this long. */
  readonly quietMs: number;
  readonly signal: AbortSignal;
}

/** Low priority: live work must not suffer from an export. */
const niceness = 10;

/** Runs ffmpeg or ffprobe to its end, and answers its last words; throws them when that was none. */
export async function runJobTool(tool: JobTool): Promise<readonly string[]> {
  const { command, quietMs, signal } = tool;
  signal.throwIfAborted();
  // Loaded by the first film: an idle server does without.
  const { runTool } = await import('@weir/process');
  const { isMissing, cut, code, reason, said } = await runTool({ ...tool, niceness });
  signal.throwIfAborted();
  if (isMissing) throw new JobError('ffmpeg-missing', `${command} is not installed`);
  if (cut === 'silence')
    throw new JobError('ffmpeg', `${command} made no progress for ${Math.round(quietMs / 1000)} s`);
  if (code !== 0) {
    const isFull = said.some((line) => line.includes('No space left on device'));
    if (isFull) throw new JobError('no-space', 'the disk is full');
    throw new JobError('ffmpeg', reason);
  }
  return said;
}

/** Position from `-progress` output; undefined if this chunk has none. */
export function readOutTimeMs(text: string): number | undefined {
  const [, microseconds] = [...text.matchAll(/^out_time_us=(\d{1,16})$/gm)].at(-1) ?? [];
  return microseconds === undefined ? undefined : Number(microseconds) / 1000;
}
