import type { Clients } from '../hub/clients/clients.ts';
import type { Machine } from './machine.ts';
import { srsVersion } from './srs-version.ts';

/** `/api/v1/rusages`: getrusage(2) of this process. */
export function rusageFacts() {
  const usage = process.resourceUsage();
  return {
    ok: true,
    sample_time: Date.now(),
    ru_utime: Math.floor(usage.userCPUTime / 1e6),
    ru_stime: Math.floor(usage.systemCPUTime / 1e6),
    ru_maxrss: usage.maxRSS,
    ru_ixrss: usage.sharedMemorySize,
    ru_idrss: usage.unsharedDataSize,
    ru_isrss: usage.unsharedStackSize,
    ru_minflt: usage.minorPageFault,
    ru_majflt: usage.majorPageFault,
    ru_nswap: usage.swappedOut,
    ru_inblock: usage.fsRead,
    ru_oublock: usage.fsWrite,
    ru_msgsnd: usage.ipcSent,
    ru_msgrcv: usage.ipcReceived,
    ru_nsignals: usage.signalsCount,
    ru_nvcsw: usage.voluntaryContextSwitches,
    ru_nivcsw: usage.involuntaryContextSwitches,
  };
}

/** `/api/v1/summaries`: the process and the machine at a glance. */
export function summaryFacts(machine: Machine, clients: Clients, version: string) {
  const load = machine.load();
  const memory = machine.memory();
  const rssKb = Math.round(process.memoryUsage.rss() / 1024);
  const { bytesIn, bytesOut } = clients.totals();
  return {
    ok: memory.ok,
    now_ms: Date.now(),
    self: {
      version: srsVersion.version,
      weir: version,
      pid: process.pid,
      ppid: process.ppid,
      argv: process.argv.join(' '),
      cwd: process.cwd(),
      mem_kbyte: rssKb,
      mem_percent: memory.MemTotal > 0 ? rssKb / memory.MemTotal : 0,
      cpu_percent: load.selfPercent,
      srs_uptime: Math.floor(process.uptime()),
    },
    system: {
      cpu_percent: load.systemPercent,
      disk_read_KBps: load.readKbPerSecond,
      disk_write_KBps: load.writeKbPerSecond,
      disk_busy_percent: load.diskBusy,
      mem_ram_kbyte: memory.MemTotal,
      mem_ram_percent: memory.percent_ram,
      mem_swap_kbyte: memory.SwapTotal,
      mem_swap_percent: memory.percent_swap,
      ...machine.platform(),
      ...machine.network(),
      srs_sample_time: Date.now(),
      srs_recv_bytes: bytesIn,
      srs_send_bytes: bytesOut,
      conn_srs: clients.size,
    },
  };
}
