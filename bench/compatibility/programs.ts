import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { type Outcome, PlaybackLog, watchSeconds } from './outcome.ts';

interface RunOptions {
  readonly seconds: number;
  readonly env?: Record<string, string>;
  /** Not as root, for programs that refuse to. */
  readonly isNobody?: boolean;
  /** A line for its standard input each half second. */
  readonly typed?: string;
  readonly onLine?: (line: string) => void;
  /** True when the program has shown enough. */
  readonly isDone?: () => boolean;
}

const nobody = 65_534;

/** Runs a program for so long at most and returns everything it printed. */
function runProgram(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { seconds, env = {}, isNobody = false, typed, onLine, isDone } = options;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: isNobody ? '/nonexistent' : tmpdir(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(isNobody && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.on('data', (chunk) => {
      text += String(chunk);
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine?.(line);
    });
  }
  child.stdin.on('error', () => undefined);
  const beat = setInterval(() => {
    if (isDone?.()) child.kill('SIGTERM');
    else if (typed !== undefined) child.stdin.write(`${typed}\n`);
  }, 500);
  const timers = [
    setTimeout(() => child.kill('SIGTERM'), seconds * 1000),
    setTimeout(() => child.kill('SIGKILL'), (seconds + 4) * 1000),
  ];
  child.once('error', reject);
  child.once('close', () => {
    clearInterval(beat);
    for (const timer of timers) clearTimeout(timer);
    resolve(text);
  });
  return promise;
}

/** The version a program says it has, or nothing if it is not there. */
export async function readVersion(program: string, args: readonly string[]): Promise<string | undefined> {
  const options = { seconds: 10, isNobody: program === 'cvlc' };
  const text = await runProgram(program, args, options).catch(() => undefined);
  return text === undefined ? undefined : (/\d+(\.\d+){2,}/.exec(text)?.[0] ?? 'unknown');
}

/** Time for a client to show its first frame. */
const startSeconds = 15;

/** Runs a player until it has shown frames for `watchSeconds`, or has taken too long to start. */
async function watch(
  command: string,
  args: readonly string[],
  options: Omit<RunOptions, 'seconds' | 'onLine'>,
  read: (line: string, log: PlaybackLog) => void,
): Promise<Outcome> {
  const log = new PlaybackLog();
  const text = await runProgram(command, args, {
    seconds: startSeconds + watchSeconds,
    isDone: () => log.isComplete,
    onLine: (line) => read(line, log),
    ...options,
  });
  return log.outcome(text.trim().split('\n').at(-1)?.trim() ?? '');
}

/** A program that plays addresses and says what it decoded. */
interface ProgramPlayer {
  readonly name: string;
  readonly program: string;
  readonly version: readonly string[];
  play(url: string): Promise<Outcome>;
}

/** Reads frames and audio as ffmpeg's filters print them: they pass the filters when they are due. */
function readFilters(line: string, log: PlaybackLog): void {
  if (/Parsed_showinfo.*\bn: *\d+ /.test(line)) log.addFrame();
  const [, rate, samples] = /Parsed_ashowinfo.*\brate: *(\d+) nb_samples: *(\d+)/.exec(line) ?? [];
  if (rate && samples) log.addAudio(Number(samples) / Number(rate));
}

/** Plays with an ffmpeg, at the speed of a player. */
export function playByFfmpeg(program: string, url: string): Promise<Outcome> {
  const filters = ['-vf', 'showinfo', '-af', 'ashowinfo'];
  const args = ['-hide_banner', '-nostats', '-re', '-i', url, ...filters, '-f', 'null', '-'];
  return watch(program, args, {}, readFilters);
}

/** For players that take what follows `#` for a part of the media. */
function withoutFragment(url: string): string {
  return url.replaceAll('#', '%23');
}

async function playByVlc(url: string): Promise<Outcome> {
  const quiet = ['--vout', 'vdummy', '--aout', 'adummy', '--no-video-title-show'];
  // One buffer is a frame of AAC with 44.1 kHz, as the source has it.
  const bufferSeconds = 1024 / 44_100;
  const seen = { frames: 0, buffers: 0, atMs: performance.now() };
  return watch(
    'cvlc',
    ['-I', 'rc', '--rc-fake-tty', ...quiet, withoutFragment(url)],
    { typed: 'stats', isNobody: true },
    (line, log) => {
      const [, name, value] = /(frames displayed|buffers played) *: *(\d+)/.exec(line) ?? [];
      if (name === 'buffers played') {
        log.addAudio((Number(value) - seen.buffers) * bufferSeconds);
        seen.buffers = Number(value);
      }
      if (name === 'frames displayed') {
        log.addFrames(Number(value) - seen.frames, seen.atMs);
        seen.frames = Number(value);
        seen.atMs = performance.now();
      }
    },
  );
}

async function playByGstreamer(element: string, url: string): Promise<Outcome> {
  // A sink announces a buffer when it is due.
  const sink = (name: string) => `fakesink name=${name} silent=false sync=true`;
  const args = [
    '-v',
    element,
    `uri=${withoutFragment(url)}`,
    `video-sink=${sink('video')}`,
    `audio-sink=${sink('audio')}`,
  ];
  return watch('gst-launch-1.0', args, {}, (line, log) => {
    if (/GstFakeSink:video.*chain/.test(line)) log.addFrame();
    const [, seconds] = /GstFakeSink:audio.*chain.*duration: 0:00:(\d+\.\d+)/.exec(line) ?? [];
    if (seconds) log.addAudio(Number(seconds));
  });
}

export const programPlayers: readonly ProgramPlayer[] = [
  { name: 'ffmpeg', program: 'ffmpeg', version: ['-version'], play: (url) => playByFfmpeg('ffmpeg', url) },
  {
    name: 'ffplay',
    program: 'ffplay',
    version: ['-version'],
    play(url) {
      const args = ['-hide_banner', '-nostats', '-vf', 'showinfo', '-af', 'ashowinfo', '-i', url];
      const env = { SDL_VIDEODRIVER: 'dummy', SDL_AUDIODRIVER: 'dummy' };
      return watch('ffplay', args, { env }, readFilters);
    },
  },
  {
    name: 'mpv',
    program: 'mpv',
    version: ['--version'],
    play(url) {
      const filters = ['--vf=lavfi=[showinfo]', '--af=lavfi=[ashowinfo]', '--msg-level=all=v'];
      return watch('mpv', ['--no-config', '--vo=null', '--ao=null', ...filters, url], {}, readFilters);
    },
  },
  { name: 'VLC', program: 'cvlc', version: ['--version'], play: playByVlc },
  {
    name: 'GStreamer playbin3',
    program: 'gst-launch-1.0',
    version: ['--version'],
    play: (url) => playByGstreamer('playbin3', url),
  },
  {
    name: 'GStreamer playbin',
    program: 'gst-launch-1.0',
    version: ['--version'],
    play: (url) => playByGstreamer('playbin', url),
  },
];
