import { ffmpegEncoders, type Tool } from '@weir/contract';
import type { EngineHealth } from '@weir/engine-api';
import type { Clock } from '../../core/clock.ts';

/** A program stays what it is; a missing one may be installed any moment. */
const thereForMs = 600_000;
const missingForMs = 10_000;
const answerWithinMs = 15_000;
const largestAnswer = 64 * 1024;

export function nodeTool(): Tool {
  return { name: 'node', state: 'there', version: process.versions.node, lacks: [] };
}

/** The engine loads libsrt, so only the engine knows; undefined while it does not answer. */
export function srtTool(engine: EngineHealth | undefined): Tool {
  const isMissing = engine?.listeners.some(({ protocol, note }) => protocol === 'srt' && note === 'no-library');
  const state = engine === undefined ? 'unknown' : isMissing ? 'missing' : 'there';
  // The engine loads it on first use; its version is unknown before.
  return { name: 'libsrt', state, version: engine?.srtVersion ?? '', lacks: [] };
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Parses its output. */
  readonly read: (text: string, isMissing: boolean) => Tool;
}

export const ffmpegProgram: Program = { command: 'ffmpeg', args: ['-version'], read: ffmpegTool };
export const downloaderProgram: Program = { command: 'yt-dlp', args: ['--version'], read: downloaderTool };

/** Asks a program for its version on request. */
export class ProgramProbe {
  readonly #program: Program;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #known: Promise<Tool> | undefined;
  #untilMs = 0;

  constructor(program: Program, clock: Pick<Clock, 'elapsedMs'>) {
    this.#program = program;
    this.#clock = clock;
  }

  read(): Promise<Tool> {
    const nowMs = this.#clock.elapsedMs();
    if (!this.#known || nowMs >= this.#untilMs) {
      this.#untilMs = Number.POSITIVE_INFINITY;
      this.#known = this.#query().then((tool) => {
        this.#untilMs = nowMs + (tool.state === 'there' ? thereForMs : missingForMs);
        return tool;
      });
    }
    return this.#known;
  }

  async #query(): Promise<Tool> {
    // Loaded on first use.
    const { runTool } = await import('@weir/process');
    const { command, args, read } = this.#program;
    const { output, isMissing } = await runTool({ command, args, withinMs: answerWithinMs, mostBytes: largestAnswer });
    return read(output, isMissing);
  }
}

/** Reads what `ffmpeg -version` prints: its version, and how it was built. */
export function ffmpegTool(text: string, isMissing: boolean): Tool {
  const version = /^ffmpeg version (\S{1,64})/.exec(text)?.[1] ?? '';
  const state = version !== '' ? 'there' : isMissing ? 'missing' : 'unknown';
  const options = /^\s*configuration: (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const lacks = ffmpegEncoders.filter((encoder) => !options.includes(`--enable-${encoder}`));
  return { name: 'ffmpeg', state, version, lacks: state === 'there' ? lacks : [] };
}

/** `yt-dlp --version` prints a date and nothing else. */
export function downloaderTool(text: string, isMissing: boolean): Tool {
  const version = /^\d{4}\.\d{2}\.\d{2}\S{0,20}/.exec(text)?.[0] ?? '';
  const state = version !== '' ? 'there' : isMissing ? 'missing' : 'unknown';
  return { name: 'yt-dlp', state, version, lacks: [] };
}
