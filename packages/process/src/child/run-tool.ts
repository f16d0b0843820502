import { IdleTimeout } from '@weir/plane';
import { Child, type ChildEnd, type ChildOptions } from './child.ts';

export interface ToolOptions extends Pick<ChildOptions, 'command' | 'args' | 'secrets' | 'niceness'> {
  /** For the whole run. */
  readonly withinMs?: number;
  /** From one word of its output to the next. */
  readonly quietMs?: number;
  /** Limit for output that is collected as a whole. A hostile file can make a tool print without end. */
  readonly mostBytes?: number;
  /** Data for standard input; without it the input stays open. */
  readonly input?: Buffer;
  /** Gets the output as it comes; then it is not kept, and may be of any length. */
  readonly onOutput?: (text: string) => void;
  /** Asks it to end. */
  readonly signal?: AbortSignal;
}

export interface ToolEnd extends ChildEnd {
  readonly output: string;
  /** Raw bytes, for output that is not text. */
  readonly bytes: Buffer;
  /** The last lines of its standard error. */
  readonly said: readonly string[];
  /** The limit that it was killed for. */
  readonly cut: 'time' | 'silence' | 'size' | undefined;
}

const defaultMostBytes = 1024 * 1024;

/** Runs a program to its end, within limits. It never rejects: how the program fared is for the caller to judge. */
export async function runTool(options: ToolOptions): Promise<ToolEnd> {
  const { withinMs, quietMs, mostBytes = defaultMostBytes, onOutput, signal, input, ...program } = options;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let cut: ToolEnd['cut'];
  const cutFor = (limit: NonNullable<ToolEnd['cut']>) => () => {
    cut ??= limit;
    child.kill();
  };
  const keep = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= mostBytes) chunks.push(chunk);
    else cutFor('size')();
  };
  const child = new Child({
    ...program,
    softStop: 'signal',
    onOutput(chunk) {
      silence?.refresh();
      if (onOutput) onOutput(chunk.toString('utf8'));
      else keep(chunk);
    },
  });
  if (input) child.finish(input);
  const time = withinMs === undefined ? undefined : new IdleTimeout(withinMs, cutFor('time'));
  const silence = quietMs === undefined ? undefined : new IdleTimeout(quietMs, cutFor('silence'));
  const stop = () => void child.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const end = await child.ended;
  time?.end();
  silence?.end();
  signal?.removeEventListener('abort', stop);
  const kept = Buffer.concat(chunks);
  return { ...end, output: kept.toString('utf8'), bytes: kept, said: child.said(), cut };
}
