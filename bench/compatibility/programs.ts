import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { type Outcome, watchSeconds } from './outcome.ts';

interface Run {
  readonly text: string;
  readonly code: number | null;
}

interface RunOptions {
  readonly seconds: number;
  readonly env?: Record<string, string>;
  /** Not as root, for programs that refuse to. */
  readonly isNobody?: boolean;
  /** Lines for its standard input, each with the second at which it is written. */
  readonly typed?: readonly (readonly [second: number, line: string])[];
}

const nobody = 65_534;

/** Runs a program for so long at most and returns everything it printed. */
function runProgram(command: string, args: readonly string[], options: RunOptions): Promise<Run> {
  const { seconds, env = {}, isNobody = false, typed = [] } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: isNobody ? '/nonexistent' : tmpdir(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(isNobody && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  child.stdin.on('error', () => undefined);
  const timers = typed.map(([second, line]) => setTimeout(() => child.stdin.write(`${line}\n`), second * 1000));
  timers.push(setTimeout(() => child.kill('SIGTERM'), seconds * 1000));
  timers.push(setTimeout(() => child.kill('SIGKILL'), (seconds + 4) * 1000));
  child.once('error', reject);
  child.once('close', (code) => {
    for (const timer of timers) clearTimeout(timer);
    resolve({ text, code });
  });
  return promise;
}

/** The version a program says it has, or nothing if it is not there. */
export async function versionOf(program: string, args: readonly string[]): Promise<string | undefined> {
  const run = await runProgram(program, args, { seconds: 10, isNobody: program === 'cvlc' }).catch(() => undefined);
  return run && (/\d+(\.\d+){2,}/.exec(run.text)?.[0] ?? 'unknown');
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const lastWords = (text: string) => text.trim().split('\n').at(-1)?.trim().slice(0, 160) ?? '';
const outcome = (frames: number, sounds: number, text: string): Outcome =>
  frames > 0 || sounds > 0 ? { frames, hasSound: sounds > 10 } : { frames, hasSound: false, trouble: lastWords(text) };

/** A program that plays addresses and says what it decoded. */
interface ProgramPlayer {
  readonly name: string;
  readonly program: string;
  readonly version: readonly string[];
  play(url: string): Promise<Outcome>;
}

/** Frames and blocks of sound as filters of ffmpeg tell them. */
const shown = (text: string) =>
  outcome(count(text, /Parsed_showinfo.*\bn: *\d+ /g), count(text, /Parsed_ashowinfo.*\bn: *\d+ /g), text);

export const programPlayers: readonly ProgramPlayer[] = [
  {
    name: 'ffmpeg',
    program: 'ffmpeg',
    version: ['-version'],
    async play(url) {
      const filters = ['-vf', 'showinfo', '-af', 'ashowinfo'];
      const args = ['-hide_banner', '-nostats', '-i', url, '-t', String(watchSeconds), ...filters, '-f', 'null', '-'];
      return shown((await runProgram('ffmpeg', args, { seconds: watchSeconds + 12 })).text);
    },
  },
  {
    name: 'ffplay',
    program: 'ffplay',
    version: ['-version'],
    async play(url) {
      const args = ['-hide_banner', '-nostats', '-vf', 'showinfo', '-af', 'ashowinfo', '-i', url];
      const env = { SDL_VIDEODRIVER: 'dummy', SDL_AUDIODRIVER: 'dummy' };
      return shown((await runProgram('ffplay', args, { seconds: watchSeconds + 3, env })).text);
    },
  },
  {
    name: 'mpv',
    program: 'mpv',
    version: ['--version'],
    async play(url) {
      const filters = ['--vf=lavfi=[showinfo]', '--af=lavfi=[ashowinfo]', '--msg-level=all=v'];
      const args = ['--no-config', '--vo=null', '--ao=null', `--length=${watchSeconds}`, ...filters, url];
      return shown((await runProgram('mpv', args, { seconds: watchSeconds + 10 })).text);
    },
  },
  {
    name: 'VLC',
    program: 'cvlc',
    version: ['--version'],
    async play(url) {
      const quiet = ['--vout', 'vdummy', '--aout', 'adummy', '--no-video-title-show'];
      const typed = [
        [watchSeconds + 3, 'stats'],
        [watchSeconds + 4, 'quit'],
      ] as const;
      const options = { seconds: watchSeconds + 8, typed, isNobody: true };
      const { text } = await runProgram('cvlc', ['-I', 'rc', '--rc-fake-tty', ...quiet, url], options);
      const statistic = (name: string) => Number(new RegExp(`${name} *: *(\\d+)`).exec(text)?.[1] ?? 0);
      return outcome(statistic('frames displayed'), statistic('buffers played'), text);
    },
  },
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

async function playByGstreamer(element: string, url: string): Promise<Outcome> {
  const sinks = ['video-sink=fakesink name=seen silent=false sync=true', 'audio-sink=fakesink name=heard silent=false'];
  const uri = url.startsWith('srt://') ? url.replaceAll('#', '%23') : url;
  const args = ['-v', element, `uri=${uri}`, ...sinks];
  const { text } = await runProgram('gst-launch-1.0', args, { seconds: watchSeconds + 3 });
  return outcome(count(text, /fakesink.*seen.*chain/gi), count(text, /fakesink.*heard.*chain/gi), text);
}
