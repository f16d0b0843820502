import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const everyMs = 50;

interface Watched {
  readonly name: string;
  readonly pid: number;
}

interface Reading {
  readonly startMb: number;
  peakMb: number;
}

/**
 * Reads how much memory each process holds, often enough to see a peak. A process above the limit is killed: an attack that
 * succeeds must not take the machine it runs on along.
 */
export class MemoryWatch {
  readonly #processes: Watched[];
  readonly #limitMb: number;
  readonly #readings = new Map<string, Reading>();
  readonly #timer: NodeJS.Timeout;
  overrun: string | undefined;

  constructor(processes: readonly Watched[], limitMb: number) {
    this.#processes = [];
    this.#limitMb = limitMb;
    for (const one of processes) this.add(one);
    this.#timer = setInterval(() => this.#read(), everyMs);
  }

  /** Adds a process that started later. */
  add(one: Watched): void {
    if (this.#readings.has(one.name)) return;
    this.#processes.push(one);
    const startMb = residentMb(one.pid);
    this.#readings.set(one.name, { startMb, peakMb: startMb });
  }

  /** Megabytes that a process held at its peak. */
  peakOf(name: string): number {
    this.#read();
    return Math.round(this.#readings.get(name)?.peakMb ?? 0);
  }

  /** Megabytes that a process held at its peak above what it held at the beginning. */
  growthOf(name: string): number {
    this.#read();
    const { startMb, peakMb } = this.#readings.get(name) ?? { startMb: 0, peakMb: 0 };
    return Math.round(peakMb - startMb);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #read(): void {
    for (const { name, pid } of this.#processes) {
      const mb = residentMb(pid);
      const reading = this.#readings.get(name);
      if (reading) reading.peakMb = Math.max(reading.peakMb, mb);
      if (mb > this.#limitMb && this.overrun === undefined) {
        this.overrun = `${name} took ${Math.round(mb)} MB and was ended`;
        process.kill(pid, 'SIGKILL');
      }
    }
  }
}

export function residentMb(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}
