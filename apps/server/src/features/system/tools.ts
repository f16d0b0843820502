import { ffmpegEncoders, type Tool } from '@weir/contract';
import type { EngineHealth } from '../../media-server/media-server.ts';

/** A program stays what it is; a missing one may be installed any moment. */
const thereForMs = 600_000;
const missingForMs = 10_000;
const answerWithinMs = 5000;
const largestAnswer = 64 * 1024;

export function nodeTool(): Tool {
  return { name: 'node', state: 'there', version: process.versions.node, lacks: [] };
}

/** The engine loads libsrt, so only the engine knows; undefined while it does not answer. */
export function srtTool(engine: EngineHealth | undefined): Tool {
  const isMissing = engine?.listeners.some(({ protocol, note }) => protocol === 'srt' && note === 'no-library');
  const state = engine === undefined ? 'unknown' : isMissing ? 'missing' : 'there';
  // The engine loads it when somebody calls; until then its version is not known.
  return { name: 'libsrt', state, version: engine?.srtVersion ?? '', lacks: [] };
}

/** Asks ffmpeg what it is, when somebody wants to know. */
export class FfmpegProbe {
  readonly #command: string;
  #known: Promise<Tool> | undefined;
  #untilMs = 0;

  constructor(command = 'ffmpeg') {
    this.#command = command;
  }

  read(nowMs = Date.now()): Promise<Tool> {
    if (!this.#known || nowMs >= this.#untilMs) {
      this.#untilMs = Number.POSITIVE_INFINITY;
      this.#known = this.#ask().then((tool) => {
        this.#untilMs = nowMs + (tool.state === 'there' ? thereForMs : missingForMs);
        return tool;
      });
    }
    return this.#known;
  }

  async #ask(): Promise<Tool> {
    // Loaded by the first reader of the page: most of the time nobody looks.
    const { Child } = await import('@weir/process');
    let text = '';
    const child = new Child({
      command: this.#command,
      args: ['-version'],
      softStop: 'signal',
      onOutput: (chunk) => {
        if (text.length < largestAnswer) text += chunk.toString('utf8');
      },
    });
    const tooLate = setTimeout(() => child.kill(), answerWithinMs);
    const { isMissing } = await child.ended;
    clearTimeout(tooLate);
    return ffmpegTool(text, isMissing);
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
