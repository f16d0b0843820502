/** Readers of what Linux tells below `/proc`, under the names SRS gives the figures. Text in, values out. */

/** proc(5), `/proc/[pid]/stat`, from the third field on. */
const selfNames = [
  'state',
  'ppid',
  'pgrp',
  'session',
  'tty_nr',
  'tpgid',
  'flags',
  'minflt',
  'cminflt',
  'majflt',
  'cmajflt',
  'utime',
  'stime',
  'cutime',
  'cstime',
  'priority',
  'nice',
  'num_threads',
  'itrealvalue',
  'starttime',
  'vsize',
  'rss',
  'rsslim',
  'startcode',
  'endcode',
  'startstack',
  'kstkesp',
  'kstkeip',
  'signal',
  'blocked',
  'sigignore',
  'sigcatch',
  'wchan',
  'nswap',
  'cnswap',
  'exit_signal',
  'processor',
  'rt_priority',
  'policy',
  'delayacct_blkio_ticks',
  'guest_time',
  'cguest_time',
];

/** Memory addresses help only attackers; the kernel shows strangers a zero too. */
const addresses = new Set(['startcode', 'endcode', 'startstack', 'kstkesp', 'kstkeip', 'wchan']);

export function readSelfStat(text: string): Record<string, string | number> {
  // The name in parentheses may hold blanks and parentheses itself.
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  const values = text
    .slice(close + 1)
    .trim()
    .split(/\s+/);
  const facts: Record<string, string | number> = { pid: whole(text.slice(0, open)), comm: text.slice(open, close + 1) };
  for (const [index, name] of selfNames.entries()) {
    const value = values[index];
    if (name === 'state') facts[name] = value ?? '';
    else facts[name] = addresses.has(name) ? 0 : whole(value);
  }
  return facts;
}

const cpuNames = ['user', 'nice', 'sys', 'idle', 'iowait', 'irq', 'softirq', 'steal', 'guest'] as const;
type SystemStat = Record<(typeof cpuNames)[number], number>;

/** Ticks of all processors since the machine started. */
export function readSystemStat(text: string): SystemStat {
  const values = /^cpu +(.*)$/m.exec(text)?.[1]?.split(/\s+/) ?? [];
  return Object.fromEntries(cpuNames.map((name, index) => [name, whole(values[index])])) as SystemStat;
}

const memoryNames = ['MemTotal', 'MemFree', 'Buffers', 'Cached', 'SwapTotal', 'SwapFree'] as const;

/** In KB, with the sums SRS makes of them. */
export function readMemInfo(text: string) {
  const values = Object.fromEntries(
    memoryNames.map((name) => [name, whole(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1])]),
  ) as Record<(typeof memoryNames)[number], number>;
  const { MemTotal, MemFree, Buffers, Cached, SwapTotal, SwapFree } = values;
  const active = MemTotal - MemFree;
  const inUse = active - Buffers - Cached;
  return {
    percent_ram: MemTotal > 0 ? inUse / MemTotal : 0,
    percent_swap: SwapTotal > 0 ? (SwapTotal - SwapFree) / SwapTotal : 0,
    MemActive: active,
    RealInUse: inUse,
    NotInUse: MemTotal - inUse,
    ...values,
  };
}

/** Bytes of all network devices: those of this machine only (`lo`) and the others. */
export function readNetDevices(text: string) {
  const sums = { recv: 0, send: 0, recvOwn: 0, sendOwn: 0 };
  for (const [, name, rest = ''] of text.matchAll(/^ *([^\s:]+): *(.*)$/gm)) {
    const values = rest.split(/\s+/);
    const [received, sent] = [whole(values[0]), whole(values[8])];
    if (name === 'lo') {
      sums.recvOwn += received;
      sums.sendOwn += sent;
    } else {
      sums.recv += received;
      sums.send += sent;
    }
  }
  return sums;
}

/** Connections of the whole machine, from `/proc/net/sockstat` and `/proc/net/snmp`. */
export function readConnections(sockstat: string, snmp: string) {
  const tcp = /^TCP: .*tw (\d+) alloc (\d+)/m.exec(sockstat);
  const waiting = whole(tcp?.[1]);
  const established = /^Tcp: [^\n]*\nTcp: (.*)$/m.exec(snmp)?.[1]?.split(' ')[8];
  return {
    conn_sys: whole(tcp?.[2]) + waiting,
    conn_sys_et: whole(established),
    conn_sys_tw: waiting,
    conn_sys_udp: whole(/^UDP: inuse (\d+)/m.exec(sockstat)?.[1]),
  };
}

/** KB read from and written to disks since the machine started. */
export function readDisks(vmstat: string) {
  return { in: whole(/^pgpgin (\d+)/m.exec(vmstat)?.[1]), out: whole(/^pgpgout (\d+)/m.exec(vmstat)?.[1]) };
}

/** Time in ms during which disks were at work, of whole devices: `sda`, not `sda1`. */
export function readDiskBusyMs(diskstats: string): number {
  let busiest = 0;
  for (const [, values = ''] of diskstats.matchAll(
    /^ *\d+ +\d+ (?:[a-z]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+) (.*)$/gm,
  ))
    busiest = Math.max(busiest, whole(values.split(' ')[9]));
  return busiest;
}

/** "No limit" is the largest unsigned number there; SRS shows it as -1. */
function whole(text: string | undefined): number {
  const value = Number(text ?? 0);
  if (!Number.isFinite(value)) return 0;
  return value >= 2 ** 63 ? -1 : value;
}

/** Names of the files in which the two versions of control groups tell limit, use and details of memory. */
const memoryFiles = [
  { limit: 'memory.max', use: 'memory.current', cached: /^(?:in)?active_file (\d+)$/gm },
  { limit: 'memory.limit_in_bytes', use: 'memory.usage_in_bytes', cached: /^total_(?:in)?active_file (\d+)$/gm },
] as const;

export interface MemoryUse {
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/**
 * Memory of the container of this process, without cached files that the kernel drops when somebody needs the room; undefined without a limit
 * below `machineBytes`.
 */
export function readContainerMemory(read: (path: string) => string, machineBytes: number): MemoryUse | undefined {
  const groups = read('/proc/self/cgroup');
  const [, second = '/'] = /^0::(.*)$/m.exec(groups) ?? [];
  const [, first = '/'] = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups) ?? [];
  // Inside a container the group of its own is mounted as the root of all.
  const folders = [
    `/sys/fs/cgroup${second}`,
    '/sys/fs/cgroup',
    `/sys/fs/cgroup/memory${first}`,
    '/sys/fs/cgroup/memory',
  ];
  for (const folder of folders) {
    for (const { limit, use, cached } of memoryFiles) {
      const limitBytes = Number.parseInt(read(`${folder}/${limit}`), 10);
      const usedBytes = Number.parseInt(read(`${folder}/${use}`), 10);
      if (!(limitBytes > 0 && limitBytes < machineBytes) || !(usedBytes >= 0)) continue;
      let cachedBytes = 0;
      for (const [, bytes] of read(`${folder}/memory.stat`).matchAll(cached)) cachedBytes += Number(bytes);
      return { usedBytes: Math.max(0, usedBytes - cachedBytes), limitBytes };
    }
  }
  return undefined;
}

/** Memory that a process and all its descendants have for themselves; code and other mapped files are left out. */
export function readFamilyMemory(read: (path: string) => string, pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').map(Number);
  return children
    .filter((child) => child > 0)
    .reduce(
      (sum, child) => sum + readFamilyMemory(read, child),
      1024 * whole(/^RssAnon:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1]),
    );
}
