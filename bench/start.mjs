// Measures the time of a warm start and the memory of an idle Weir: `npm run bench:start`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchResult } from './results.ts';

const rounds = 5;
const idleMs = 5000;
const port = 22022;

const statusOf = () =>
  new Promise((resolve) => {
    get({ port, path: '/mgmt/', agent: false }, (response) => resolve(response.resume().statusCode)).on('error', () =>
      resolve(0),
    );
  });

const field = (pid, file, name) => {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1024;
};

const childrenOf = (parent) =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return field(pid, 'status', 'PPid') * 1024 === parent;
      } catch {
        return false;
      }
    })
    .map(Number);

async function measure() {
  const data = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  const env = {
    ...process.env,
    WEIR_DATA: data,
    MGMT_LISTEN: String(port),
    HTTPS_LISTEN: '0',
    WEIR_RTMP_LISTEN: '0',
    WEIR_SRT_LISTEN: '0',
  };
  const before = performance.now();
  const weir = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], { env, stdio: 'ignore' });
  while ((await statusOf()) !== 200) await sleep(5);
  const startMs = performance.now() - before;
  await sleep(idleMs);
  const processes = [weir.pid, ...childrenOf(weir.pid)];
  const sum = (file, name) => processes.reduce((total, pid) => total + field(pid, file, name), 0);
  const result = {
    startMs,
    rssMb: sum('status', 'VmRSS'),
    pssMb: sum('smaps_rollup', 'Pss'),
    processes: processes.length,
  };
  weir.kill('SIGTERM');
  await new Promise((resolve) => weir.once('exit', resolve));
  rmSync(data, { recursive: true });
  return result;
}

await measure();
const result = new BenchResult('start');
for (let round = 0; round < rounds; round++) {
  const { startMs, rssMb, pssMb, processes } = await measure();
  result.add(
    { startMs: Math.round(startMs), rssMb: Math.round(rssMb), pssMb: Math.round(pssMb), processes },
    `first 200 on /mgmt/ after ${startMs.toFixed(0)} ms; idle, ${processes} processes: ` +
      `${rssMb.toFixed(0)} MB resident (${pssMb.toFixed(0)} MB without counting shared pages twice)`,
  );
}
