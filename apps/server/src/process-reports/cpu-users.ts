import { closeSync, openSync, readSync } from 'node:fs';
import type { CpuUser } from '@weir/contract';
import type { Clock } from '../core/clock.ts';

/** Shares of all cores together, from 0 to 1. */
interface CpuUse {
  /** Share of all processes on the machine. */
  readonly all: number;
  /** Shares of our processes, the largest first. */
  readonly ours: readonly { readonly user: CpuUser; readonly share: number }[];
}

interface Context {
  readonly clock: Clock;
  /** Process ids of launcher, engine and built-in AI; 0 while there is none. */
  readonly pids: () => { readonly launcher: number; readonly engine: number; readonly ai: number };
  /** Features by the processes that run for them. */
  readonly jobs: () => ReadonlyMap<number, string>;
}

/** Ticks of the machine and of our processes at one moment, since they began. */
interface Ticks {
  readonly atMs: number;
  readonly busy: number;
  readonly total: number;
  readonly processes: ReadonlyMap<number, { readonly user: CpuUser; readonly ticks: number }>;
}

/** Shortest span of a measurement, because ticks are hundredths of a second. Calls within it share an answer. */
const leastMs = 1000;
/** Room for one file of proc(5): the children of a process, or its command up to its entry. */
const mostBytes = 16 * 1024;
/** Longest span: an older start says little about the present. */
const mostMs = 60_000;
/** Generations of processes below the launcher; ours have three. */
const mostDepth = 6;
/** Features whose jobs have a name of their own in the contract. */
const jobUsers = ['forward', 'vlive', 'camera', 'transcode', 'transcript'] as const satisfies readonly CpuUser[];

/** Measures which of our processes uses the CPU, from proc(5). Unknown on systems other than Linux. */
export class CpuUsers {
  readonly #context: Context;
  readonly #buffer = Buffer.allocUnsafe(mostBytes);
  #before: Ticks | undefined;
  #last: CpuUse | undefined;
  #sampling: Promise<CpuUse | undefined> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Measures since the last call, or over the next second if that was long ago. Concurrent calls share one measurement. */
  look(): Promise<CpuUse | undefined> {
    this.#sampling ??= this.#sample()
      .catch(() => undefined)
      .finally(() => {
        this.#sampling = undefined;
      });
    return this.#sampling;
  }

  async #sample(): Promise<CpuUse> {
    const { clock } = this.#context;
    const ageMs = clock.elapsedMs() - (this.#before?.atMs ?? Number.NEGATIVE_INFINITY);
    if (this.#last && ageMs < leastMs) return this.#last;
    const before = this.#before && ageMs <= mostMs ? this.#before : this.#read();
    const waitMs = leastMs - (clock.elapsedMs() - before.atMs);
    if (waitMs > 0) await clock.pause(waitMs);
    const now = this.#read();
    this.#before = now;
    this.#last = difference(before, now);
    return this.#last;
  }

  #read(): Ticks {
    const { clock, pids, jobs } = this.#context;
    const atMs = clock.elapsedMs();
    const { launcher, engine, ai } = pids();
    const known = new Map<number, CpuUser>([
      [process.pid, 'server'],
      ...(engine > 0 ? [[engine, 'engine'] as const] : []),
      ...[...jobs()].map(([pid, feature]) => [pid, jobUsers.find((one) => one === feature) ?? 'tools'] as const),
      ...(ai > 0 ? [[ai, 'ai'] as const] : []),
    ]);
    const processes = new Map<number, { user: CpuUser; ticks: number }>();
    const walk = (pid: number, parent: CpuUser | undefined, depth: number): void => {
      const ticks = processTicks(this.#file(`/proc/${pid}/stat`));
      if (ticks === undefined || processes.has(pid)) return;
      const user = known.get(pid) ?? (parent === 'engine' ? this.#engineChild(pid) : childOf(parent));
      processes.set(pid, { user, ticks });
      if (depth >= mostDepth) return;
      // Our processes start others from their main thread only.
      for (const child of this.#file(`/proc/${pid}/task/${pid}/children`).split(' '))
        if (child !== '') walk(Number(child), user, depth + 1);
    };
    walk(launcher > 0 ? launcher : process.pid, undefined, 0);
    return { atMs, ...machineTicks(this.#file('/proc/stat')), processes };
  }

  /** Identifies workers by their entry point; all other children of the engine convert streams for viewers. */
  #engineChild(pid: number): CpuUser {
    const command = this.#file(`/proc/${pid}/cmdline`);
    if (command.includes('srt-worker')) return 'srt';
    if (command.includes('delivery-worker')) return 'delivery';
    return command.includes('rtc-worker') ? 'rtc' : 'conversion';
  }

  /** Start of a file of proc(5); empty if it does not exist. One reused buffer, because `readFile` allocates 64 KB for each. */
  #file(path: string): string {
    let file: number | undefined;
    try {
      file = openSync(path, 'r');
      return this.#buffer.toString('latin1', 0, readSync(file, this.#buffer, 0, mostBytes, 0));
    } catch {
      return '';
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

/** Children of the control server other than jobs are short runs of tools; children of a job belong to it. */
function childOf(parent: CpuUser | undefined): CpuUser {
  return parent === undefined || parent === 'server' ? 'tools' : parent;
}

/** Time in user and system mode, fields 14 and 15; the name before them may hold spaces and brackets. */
function processTicks(stat: string): number | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? undefined : Number(fields[11]) + Number(fields[12]);
}

/** `/proc/stat`: user nice system idle iowait irq softirq steal. Guests are a part of the first two. */
function machineTicks(stat: string): { busy: number; total: number } {
  if (stat === '') throw new Error('this system has no /proc/stat');
  const [line = ''] = stat.split('\n', 1);
  const values = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const total = values.reduce((sum, value) => sum + value, 0);
  return { busy: total - (values[3] ?? 0) - (values[4] ?? 0), total };
}

function difference(before: Ticks, now: Ticks): CpuUse {
  const total = Math.max(1, now.total - before.total);
  const shares = new Map<CpuUser, number>();
  for (const [pid, { user, ticks }] of now.processes) {
    const since = before.processes.get(pid)?.ticks ?? 0;
    shares.set(user, (shares.get(user) ?? 0) + Math.max(0, ticks - since) / total);
  }
  const ours = [...shares].map(([user, share]) => ({ user, share })).sort((a, b) => b.share - a.share);
  return { all: (now.busy - before.busy) / total, ours };
}
