import { availableParallelism, cpus, freemem, loadavg, totalmem, uptime } from 'node:os';

/** What SRS calls a summary: this process and the machine under it, as far as it is cheap to know. */
export function systemFacts(version: string, connections: number) {
  const memory = process.memoryUsage.rss();
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const upSeconds = process.uptime();
  const [load1 = 0, load5 = 0, load15 = 0] = loadavg();
  const total = totalmem();
  return {
    ok: true,
    now_ms: Date.now(),
    self: {
      version: '5.0.213',
      weir: version,
      mem_kbyte: Math.round(memory / 1024),
      mem_percent: memory / total,
      cpu_percent: (userCPUTime + systemCPUTime) / 1e6 / upSeconds,
      srs_uptime: Math.floor(upSeconds),
    },
    system: {
      cpus: cpus().length,
      cpus_online: availableParallelism(),
      uptime: uptime(),
      load_1m: load1,
      load_5m: load5,
      load_15m: load15,
      mem_ram_kbyte: Math.round(total / 1024),
      mem_ram_percent: 1 - freemem() / total,
      conn_srs: connections,
    },
  };
}
