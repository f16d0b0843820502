import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProbedStream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly profile?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_rate?: string;
  readonly channels?: number;
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=44100'];
const h264 = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-profile:v',
  'baseline',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '25',
  '-b:v',
  '500k',
];
const aac = ['-c:a', 'aac', '-b:a', '64k', '-ac', '2'];

/** What a publisher sends. */
export const inputs = {
  both: [...picture, ...tone, ...h264, ...aac],
  video: [...picture, ...h264],
  audio: [...tone, ...aac],
  mp3: [...picture, ...tone, ...h264, '-c:a', 'libmp3lame', '-b:a', '64k'],
} as const;

/** A real ffmpeg that publishes until it is stopped. */
export class Publisher {
  readonly process: ChildProcess;
  #said = '';

  constructor(url: string, input: readonly string[] = inputs.both, format: 'flv' | 'mpegts' = 'flv') {
    const args = ['-hide_banner', '-loglevel', 'warning', '-re', ...input, '-f', format, url];
    this.process = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.process.stderr?.on('data', (chunk) => (this.#said += String(chunk)));
  }

  get said(): string {
    return this.#said;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return;
    this.process.kill(signal);
    await new Promise((resolve) => this.process.once('exit', resolve));
  }
}

/** The tracks ffprobe finds at an address. */
export async function probe(url: string): Promise<ProbedStream[]> {
  const args = ['-v', 'error', '-rw_timeout', '15000000', '-show_streams', '-of', 'json', url];
  const { stdout } = await run('ffprobe', args, { timeout: 30_000 });
  const { streams } = JSON.parse(stdout) as { streams: ProbedStream[] };
  return streams.sort((a, b) => (a.codec_type < b.codec_type ? 1 : -1));
}

/** Decodes some seconds and returns what ffmpeg complains about: nothing, when all is well. */
export async function complaints(url: string, seconds: number): Promise<string> {
  const args = ['-v', 'warning', '-rw_timeout', '15000000', '-i', url, '-t', String(seconds), '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', args, { timeout: 60_000 });
  return stderr;
}
