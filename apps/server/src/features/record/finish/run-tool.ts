import { Patience } from '@weir/plane';
import { JobError } from './job-error.ts';

interface ToolOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Killed when it has said nothing for this long. */
  readonly quietMs: number;
  readonly onOutput?: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Others go first: live work on this machine must not feel that a recording is finished. */
const niceness = 10;

/** Runs ffmpeg or ffprobe to its end; throws its last words when that was none. */
export async function runTool({ command, args, quietMs, onOutput, signal }: ToolOptions): Promise<void> {
  signal.throwIfAborted();
  // Loaded by the first recording that ends: an idle server does without.
  const { Child } = await import('@weir/process');
  let isQuiet = false;
  const child = new Child({
    command,
    args,
    niceness,
    softStop: 'signal',
    onOutput: (chunk) => {
      patience.refresh();
      onOutput?.(chunk.toString('utf8'));
    },
  });
  const patience = new Patience(quietMs, () => {
    isQuiet = true;
    child.kill();
  });
  const stop = () => void child.stop();
  signal.addEventListener('abort', stop, { once: true });
  const end = await child.ended;
  patience.end();
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (end.isMissing) throw new JobError('ffmpeg-missing', `${command} is not installed`);
  if (isQuiet) throw new JobError('ffmpeg', `${command} made no progress for ${Math.round(quietMs / 1000)} s`);
  if (end.code !== 0) {
    const isFull = child.said().some((line) => line.includes('No space left on device'));
    if (isFull) throw new JobError('no-space', 'the disk is full');
    throw new JobError('ffmpeg', end.reason);
  }
}
