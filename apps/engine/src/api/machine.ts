import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import {
  type MemoryUse,
  readConnections,
  readContainerMemory,
  readDiskBusyMs,
  readDisks,
  readFamilyMemory,
  readMemInfo,
  readNetDevices,
  readSelfStat,
  readSystemStat,
} from './proc-files.ts';

/** Minimum interval of rates, so that simultaneous queries get the same values. */
const shortestMs = 1000;

interface Counts {
  readonly atMs: number;
  readonly selfMs: number;
  readonly total: number;
  readonly idle: number;
  readonly diskInKb: number;
  readonly diskOutKb: number;
  readonly diskBusyMs: number;
}

interface Load {
  readonly selfPercent: number;
  readonly systemPercent: number;
  readonly readKbPerSecond: number;
  readonly writeKbPerSecond: number;
  readonly diskBusy: number;
}

/** Process and machine in the form of SRS. Read on request. */
export class Machine {
  readonly #read: (path: string) => string;
  #counts: Counts | undefined;
  #load: Load | undefined;
  /** False once no limit was found, because the search reads a dozen files. */
  #hasMemoryLimit = true;

  constructor(read: (path: string) => string = readProc) {
    this.#read = read;
  }

  /** Load since the last call; at first since the start of the process and the machine. */
  load(): Load {
    const now = this.#count();
    const before = this.#counts ?? this.#beginning(now);
    if (this.#load && now.atMs - before.atMs < shortestMs) return this.#load;
    this.#counts = now;
    this.#load = loadBetween(before, now);
    return this.#load;
  }

  /** Shares from 0 to 1: all cores; one core by this process; unavailable memory. */
  shares() {
    const { systemPercent, selfPercent } = this.load();
    const ofMachine = 1 - freemem() / totalmem();
    return { cpu: systemPercent, engineCpu: selfPercent, memory: Math.max(ofMachine, this.#ofContainer()) };
  }

  /** A full container kills its processes, however much memory the machine has left. */
  #ofContainer(): number {
    if (!this.#hasMemoryLimit) return 0;
    const use = readContainerMemory(this.#read, totalmem());
    this.#hasMemoryLimit = use !== undefined;
    return use ? use.usedBytes / use.limitBytes : 0;
  }

  /** Memory of all processes of Weir and its limit: the given one, else that of the container. No process has `fileBytes` mapped. */
  memoryUse(limitBytes: number | undefined, fileBytes: number): MemoryUse | undefined {
    if (limitBytes === undefined) return readContainerMemory(this.#read, totalmem());
    // The launcher is our parent.
    return { usedBytes: readFamilyMemory(this.#read, process.ppid) + fileBytes, limitBytes };
  }

  selfStat(): Record<string, unknown> {
    const text = this.#read('/proc/self/stat');
    return { ok: text !== '', sample_time: Date.now(), percent: this.load().selfPercent, ...readSelfStat(text) };
  }

  systemStat(): Record<string, unknown> {
    const text = this.#read('/proc/stat');
    return { ok: text !== '', sample_time: Date.now(), percent: this.load().systemPercent, ...readSystemStat(text) };
  }

  memory() {
    const text = this.#read('/proc/meminfo');
    return { ok: text !== '', sample_time: Date.now(), ...readMemInfo(text) };
  }

  network() {
    const devices = readNetDevices(this.#read('/proc/net/dev'));
    return {
      net_sample_time: Date.now(),
      net_recv_bytes: devices.recv,
      net_send_bytes: devices.send,
      net_recvi_bytes: devices.recvOwn,
      net_sendi_bytes: devices.sendOwn,
      ...readConnections(this.#read('/proc/net/sockstat'), this.#read('/proc/net/snmp')),
    };
  }

  platform() {
    const [load1 = 0, load5 = 0, load15 = 0] = loadavg();
    return {
      cpus: cpus().length || availableParallelism(),
      cpus_online: availableParallelism(),
      uptime: uptime(),
      // SRS spells it so.
      ilde_time: Number(this.#read('/proc/uptime').split(' ')[1] ?? 0),
      load_1m: load1,
      load_5m: load5,
      load_15m: load15,
    };
  }

  #count(): Counts {
    const { user, system } = process.cpuUsage();
    const ticks = readSystemStat(this.#read('/proc/stat'));
    const disks = readDisks(this.#read('/proc/vmstat'));
    return {
      atMs: Date.now(),
      selfMs: (user + system) / 1000,
      total: Object.values(ticks).reduce((sum, value) => sum + value, 0),
      idle: ticks.idle,
      diskInKb: disks.in,
      diskOutKb: disks.out,
      diskBusyMs: readDiskBusyMs(this.#read('/proc/diskstats')),
    };
  }

  #beginning({ atMs, diskInKb, diskOutKb, diskBusyMs }: Counts): Counts {
    return {
      atMs: atMs - process.uptime() * 1000,
      selfMs: 0,
      total: 0,
      idle: 0,
      diskInKb,
      diskOutKb,
      diskBusyMs,
    };
  }
}

function loadBetween(before: Counts, now: Counts): Load {
  const passedMs = Math.max(1, now.atMs - before.atMs);
  const ticks = now.total - before.total;
  const perSecond = (amount: number) => Math.round((amount * 1000) / passedMs);
  return {
    selfPercent: (now.selfMs - before.selfMs) / passedMs,
    systemPercent: ticks > 0 ? 1 - (now.idle - before.idle) / ticks : 0,
    readKbPerSecond: perSecond(now.diskInKb - before.diskInKb),
    writeKbPerSecond: perSecond(now.diskOutKb - before.diskOutKb),
    diskBusy: Math.min(1, (now.diskBusyMs - before.diskBusyMs) / passedMs),
  };
}

/** Returns an empty text without the file, as on other systems than Linux. */
function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
