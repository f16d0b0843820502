import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Recording } from '@weir/contract';
import { until } from '../weir.fixture.ts';
import { inputs } from './ffmpeg.fixture.ts';
import type { Live } from './live.fixture.ts';

const run = promisify(execFile);
const api = '/terraform/v1/hooks/record';

/** A film of known length, coded once: what is published is known to the frame, and costs next to nothing. */
export async function makeClip(seconds: number): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-clip-')), 'clip.mp4');
  await run('ffmpeg', ['-v', 'error', ...inputs.both, '-t', String(seconds), '-y', file], { timeout: 120_000 });
  return file;
}

/** One of many bytes: filled up by the encoder, so that it costs little to make. */
export async function makeHeavyClip(seconds: number, megabits: number): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-clip-')), 'heavy.mp4');
  const rate = `${megabits}M`;
  const filled = ['-x264-params', 'nal-hrd=cbr', '-b:v', rate, '-minrate', rate, '-maxrate', rate, '-bufsize', rate];
  await run('ffmpeg', ['-v', 'error', ...inputs.both, ...filled, '-t', String(seconds), '-y', file], {
    timeout: 120_000,
  });
  return file;
}

/** Arguments of a publisher that sends it as it is. */
export function clipInput(file: string, loops = 0): string[] {
  return [...(loops === 0 ? [] : ['-stream_loop', String(loops)]), '-i', file, '-c', 'copy'];
}

interface Track {
  readonly codec_name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly frames: number;
}

/** What ffprobe says of a file, and what ffmpeg complains about when it decodes all of it. */
export async function examine(file: string): Promise<{ video: Track; audio: Track; complaints: string }> {
  const entries = 'stream=codec_type,codec_name,start_time,duration,nb_read_packets';
  const args = ['-v', 'error', '-count_packets', '-show_entries', entries, '-of', 'json', file];
  const { stdout, stderr } = await run('ffprobe', args, { timeout: 60_000 });
  const { streams } = JSON.parse(stdout) as { streams: Record<string, string>[] };
  const track = (kind: string): Track => {
    const found = streams.find(({ codec_type }) => codec_type === kind) ?? {};
    const startMs = 1000 * Number(found.start_time);
    const endMs = startMs + 1000 * Number(found.duration);
    return { codec_name: found.codec_name ?? '', startMs, endMs, frames: Number(found.nb_read_packets) };
  };
  // Each picture at its own time: rounded to a frame rate, two of a camera may fall on one.
  const asTimed = ['-fps_mode', 'passthrough', '-enc_time_base', '-1'];
  const decoded = await run('ffmpeg', ['-v', 'warning', '-i', file, ...asTimed, '-f', 'null', '-'], {
    timeout: 120_000,
  });
  return { video: track('video'), audio: track('audio'), complaints: stderr + decoded.stderr };
}

/** Recordings of a server, asked for as the console does. */
export class Recordings {
  readonly #live: Live;

  constructor(live: Live) {
    this.#live = live;
  }

  async start(): Promise<void> {
    await this.post('apply', { all: true });
  }

  async post(call: string, body: object = {}) {
    const answer = await this.#live.post(`${api}/${call}`, body);
    if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.data)}`);
    return answer.data;
  }

  async list(stream?: string): Promise<Recording[]> {
    const all = (await this.post('files')) as Recording[];
    return stream === undefined ? all : all.filter((each) => each.stream === stream);
  }

  /** Waits until the newest recording of a stream is as wanted. */
  async wait(
    stream: string,
    is: (recording: Recording) => boolean,
    what: string,
    withinMs = 60_000,
  ): Promise<Recording> {
    let found: Recording | undefined;
    await until(
      async () => {
        // While planes are killed nobody answers.
        const [newest] = (await this.list(stream).catch(() => [])).sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
        found = newest;
        return newest !== undefined && is(newest);
      },
      `${stream}: ${what}`,
      withinMs,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; it is ${JSON.stringify(found)}`);
    });
    if (!found) throw new Error('unreachable');
    return found;
  }

  /** Ends it and waits for its file. The stream's next recording may have begun by then. */
  async finish({ uuid }: Recording): Promise<Recording> {
    await this.post('end', { uuid });
    let found: Recording | undefined;
    const isFinished = async () => {
      found = (await this.list()).find((each) => each.uuid === uuid);
      return found !== undefined && !found.progress;
    };
    await until(isFinished, 'finished', 120_000).catch((error: unknown) => {
      throw new Error(`${String(error)}; it is ${JSON.stringify(found)}`);
    });
    if (!found) throw new Error('unreachable');
    return found;
  }

  file(uuid: string, name: string): string {
    return join(this.#live.weir.dataDir, 'record', uuid, name);
  }

  /** Lines of the log of its segments: id, number, milliseconds, bytes, seam, time. */
  log(uuid: string): string[][] {
    return readFileSync(this.file(uuid, 'segments.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' '));
  }
}

/** Figures of a run by hand, into the file that RECORD_REPORT names. */
export function report(figures: object): void {
  const file = process.env.RECORD_REPORT;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
