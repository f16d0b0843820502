import {
  type ChildProcess,
  type ChildProcessByStdio,
  type SendHandle,
  type StdioOptions,
  spawn,
} from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Duplex, Readable, type Writable } from 'node:stream';
import { elapsedMs } from '@weir/plane/elapsed';
import { NamelessFile } from '../ffmpeg/hidden-options.ts';
import { LineRing } from './line-ring.ts';

export interface ChildOptions extends Command {
  /** Receives standard output. Not called after the end of the child. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Receive what the child writes to descriptors 3, 4 and so on. Not together with options that use these. */
  readonly onOutputs?: readonly ((chunk: Buffer) => void)[];
  /** Receives what the child writes to `reportDescriptor`, where standard output has another use. */
  readonly onReport?: (chunk: Buffer) => void;
  /** Called exactly once, also if the child could not be started. */
  readonly onEnd?: (end: ChildEnd) => void;
  /** Secrets in the arguments, to be removed from the child's output. */
  readonly secrets?: readonly string[];
  /** Read by the child under `hiddenPath`: what must not stand in its arguments, which every user of the machine sees. */
  readonly hidden?: string;
  /** Beside what every program of ours finds there. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Way to ask for an orderly end: closing standard input, so that buffered work is finished, or a signal. */
  readonly softStop?: 'end-of-input' | 'signal';
  /** From asking to killing, and from its end to that of pipes that a child of its own holds open. */
  readonly graceMs?: number;
  /** Above 0: others go first when the machine is short of time. */
  readonly niceness?: number;
  /** The child finds a socket to this process under `linkDescriptor`. Not together with `hidden` and `onReport`. */
  readonly hasLink?: boolean;
  /** With `hasLink`: a descriptor that the child finds under `sharedDescriptor`. It can be given connections, too. */
  readonly shared?: number | undefined;
  /** The kernel gives it no more memory of its own than this, and what asks for more fails there. Only on Linux. */
  readonly mostBytes?: number;
}

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Reason in words: its last line of output, or how it ended. Without secrets. */
  readonly reason: string;
  /** The program is not installed. */
  readonly isMissing: boolean;
  /** We asked for it. */
  readonly isWanted: boolean;
  readonly ranMs: number;
}

/** Descriptor for reports beside the output; the one before it holds hidden options. */
export const reportDescriptor = 4;
/** Descriptor of a socket passed to the child. */
export const linkDescriptor = 3;
/** Descriptor of a file passed to the child. */
export const sharedDescriptor = 4;
const defaultGraceMs = 3000;
/** Exit code of `setpriv`, and of shells, for a program that is missing. */
const notFoundCode = 127;

type Process = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * One child process, started by the constructor. It never outlives this process and is killed if it does not end on
 * request. Failures arrive through `onEnd`, never as exceptions.
 */
export class Child {
  /** Resolves with the end, and never rejects. */
  readonly ended: Promise<ChildEnd>;
  readonly #options: ChildOptions;
  /** Undefined when the system would not even begin: no descriptors, arguments that are too long. */
  readonly #process: Process | undefined;
  readonly #said: LineRing;
  readonly #startedAt = elapsedMs();
  #failure: NodeJS.ErrnoException | undefined;
  #killTimer: NodeJS.Timeout | undefined;
  #isWanted = false;
  #hasEnded = false;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#said = new LineRing(options.secrets);
    const { command, args } = withParentWatch(withMemoryLimit(within(options), options.mostBytes));
    const { promise, resolve } = Promise.withResolvers<ChildEnd>();
    this.ended = promise;
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      if (!this.#hasEnded) resolve(this.#end(code, signal));
    };
    const child = this.#start(command, args, finish);
    this.#process = child;
    if (!child) return;
    if (child.pid !== undefined && options.niceness) lowerPriority(child.pid, options.niceness);
    child.once('close', (code, signal) => finish(code, signal));
    child.once('exit', () => this.#closePipesLater(child));
    // Writing to a child that ended first fails; `onEnd` reports the end.
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#said.push(text));
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.#hasEnded) options.onOutput?.(chunk);
    });
    for (const [index, onChunk] of (options.onOutputs ?? []).entries())
      this.#listen(child, linkDescriptor + index, onChunk);
    const report = child.stdio[reportDescriptor];
    if (options.onReport && report && 'setEncoding' in report) {
      report.on('error', () => undefined);
      report.on('data', (chunk: Buffer) => {
        if (!this.#hasEnded) options.onReport?.(chunk);
      });
    }
  }

  #listen(child: Process, descriptor: number, onChunk: (chunk: Buffer) => void): void {
    const pipe = (child.stdio as readonly unknown[])[descriptor];
    if (!(pipe instanceof Readable)) return;
    pipe.on('error', () => undefined);
    pipe.on('data', (chunk: Buffer) => {
      if (!this.#hasEnded) onChunk(chunk);
    });
  }

  /** The process; undefined if it could not be started, which is reported later like every exit. */
  #start(command: string, args: readonly string[], finish: (code: null, signal: null) => void): Process | undefined {
    try {
      const child = start(command, args, this.#options);
      child.on('error', (error: NodeJS.ErrnoException) => {
        this.#failure ??= error;
        // A process that could not be started has no other end than this.
        if (child.pid === undefined) finish(null, null);
      });
      // Out of descriptors, Node creates no pipes, contrary to its types.
      return 'stdin' in child && child.stdin !== undefined ? child : undefined;
    } catch (error) {
      // Invalid arguments are a bug of the caller.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      this.#failure = error as NodeJS.ErrnoException;
      setImmediate(() => finish(null, null));
      return undefined;
    }
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Bidirectional socket; undefined without the option or after a failed start. */
  get link(): Duplex | undefined {
    const socket = this.#options.hasLink ? this.#process?.stdio[linkDescriptor] : undefined;
    return socket instanceof Duplex ? socket : undefined;
  }

  /** Shares a connection with the child, which receives it as a raw handle beside the message. Both have it open afterwards. */
  give(message: object, handle: unknown): void {
    const child: ChildProcess | undefined = this.#process;
    if (this.#hasEnded || !child?.connected) return;
    // A handle that was closed since is not sent, without an error.
    child.send(message, handle as SendHandle, { keepOpen: true }, () => undefined);
  }

  /** Bytes written and not yet read by the child. Writers check it and drop data instead of letting it grow. */
  get queuedBytes(): number {
    return this.#process?.stdin.writableLength ?? 0;
  }

  /** The last lines of its standard error, for people. */
  said(): string[] {
    return this.#said.lines();
  }

  write(bytes: Buffer): void {
    if (this.#hasEnded || this.#isWanted || !this.#process?.stdin.writable) return;
    this.#process.stdin.write(bytes);
  }

  /** Complete input, after which its standard input is closed. */
  finish(bytes: Buffer): void {
    this.#process?.stdin.end(bytes);
  }

  /** Asks the child to exit, kills it after a timeout, and resolves when it is gone. Idempotent. */
  stop(): Promise<ChildEnd> {
    if (this.#isWanted || this.#hasEnded) return this.ended;
    this.#isWanted = true;
    const { softStop = 'end-of-input', graceMs = defaultGraceMs } = this.#options;
    this.#process?.stdin.end();
    if (softStop === 'signal') this.#process?.kill('SIGTERM');
    this.#killTimer = setTimeout(() => this.kill(), graceMs);
    return this.ended;
  }

  /** Kills the child at once, without its remaining output. */
  kill(): void {
    if (!this.#hasEnded) this.#process?.kill('SIGKILL');
  }

  /**
   * Programs left behind by the child keep its pipes open. The end is reported without them, after its own output was
   * read.
   */
  #closePipesLater(child: Process): void {
    const close = () => {
      for (const pipe of child.stdio) pipe?.destroy();
    };
    const timer = setTimeout(() => setImmediate(close), this.#options.graceMs ?? defaultGraceMs);
    child.once('close', () => clearTimeout(timer));
  }

  #end(code: number | null, signal: NodeJS.Signals | null): ChildEnd {
    this.#hasEnded = true;
    clearTimeout(this.#killTimer);
    const isMissing = this.#failure?.code === 'ENOENT' || (code === notFoundCode && signal === null);
    const end: ChildEnd = {
      code,
      signal,
      reason: this.#reason(code, signal, isMissing),
      isMissing,
      isWanted: this.#isWanted,
      ranMs: elapsedMs() - this.#startedAt,
    };
    this.#options.onEnd?.(end);
    return end;
  }

  #reason(code: number | null, signal: NodeJS.Signals | null, isMissing: boolean): string {
    if (isMissing) return `${this.#options.command} is not installed`;
    if (this.#failure) return `${this.#options.command} could not be started: ${this.#failure.code ?? 'unknown error'}`;
    if (this.#isWanted) return 'stopped';
    if (signal) return `ended by ${signal}`;
    return this.#said.last || `ended with code ${code}`;
  }
}

/** `env` becomes the command, as `setpriv` does: what is inherited stays, and needs not be read here. */
function within({ command, args, environment = {} }: ChildOptions): Command {
  const more = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return more.length === 0 ? { command, args } : { command: 'env', args: [...more, command, ...args] };
}

function start(command: string, args: readonly string[], options: ChildOptions): Process {
  const { hidden, onReport, hasLink, shared, onOutputs = [] } = options;
  const file = hidden === undefined ? undefined : new NamelessFile(hidden);
  const more = hasLink ? 1 : onOutputs.length;
  const usual: StdioOptions = ['pipe', 'pipe', 'pipe', ...Array<'pipe'>(more).fill('pipe')];
  const stdio: StdioOptions = onReport ? [...usual, file?.descriptor ?? 'ignore', 'pipe'] : usual;
  if (file && !onReport) stdio.push(file.descriptor);
  if (shared !== undefined) stdio.push(shared, 'ipc');
  try {
    return spawn(command, args, { windowsHide: true, stdio }) as ChildProcess as Process;
  } finally {
    file?.close();
  }
}

/** Set before the child has threads, which inherit the priority. An exited child needs none. */
function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Directories of util-linux. */
const places = ['/usr/bin', '/bin'];
const programOf = (name: string) =>
  process.platform === 'linux' ? places.map((place) => `${place}/${name}`).find((path) => existsSync(path)) : undefined;

/** `setpriv` makes the kernel kill the child when its parent is gone. Node cannot do that itself, and a parent killed with -9 cannot act. */
const setpriv = programOf('setpriv');
const prlimit = programOf('prlimit');

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The same command, bound to the life of this process. `setpriv` becomes the command: no process more, the same pid.
 * Where there is none (no Linux), a child must end by itself when its standard input does; ours read media there.
 */
function withParentWatch({ command, args }: Command): Command {
  return setpriv ? { command: setpriv, args: ['--pdeathsig', 'KILL', command, ...args] } : { command, args };
}

/** The same command with a limit on its memory, which `prlimit` sets before it becomes the command. */
function withMemoryLimit({ command, args }: Command, mostBytes: number | undefined): Command {
  if (mostBytes === undefined || !prlimit) return { command, args };
  return { command: prlimit, args: [`--data=${Math.ceil(mostBytes)}`, command, ...args] };
}
