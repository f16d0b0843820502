// Measures the cost of SRT players: `node bench/srt.mjs [--n 100] [--seconds 10] [--rounds 3]`. The server on one core, the players on the other.
// Needs libsrt and the clips of `bench/media.mjs` (run that first: this result is compared with its nginx-rtmp figure).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, familyOf, pinned } from './family.ts';
import { BenchResult } from './results.ts';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
});
const here = import.meta.dirname;
const media = join(here, '../.cache/bench/m1000.flv');
const ports = { MGMT_LISTEN: '28191', HTTPS_LISTEN: '28543', WEIR_RTMP_LISTEN: '29461', WEIR_SRT_LISTEN: '29180' };

async function measure() {
  const weir = pinned(0, [process.execPath, join(here, 'weir.mjs')], {
    env: { ...process.env, ...ports },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `rtmp://127.0.0.1:${ports.WEIR_RTMP_LISTEN}/live/s0`;
  const publisher = () =>
    pinned(1, ['ffmpeg', '-v', 'error', '-re', '-stream_loop', '-1', '-i', media, '-c', 'copy', '-f', 'flv', url], {
      stdio: 'ignore',
    });
  const flv = `http://127.0.0.1:${ports.MGMT_LISTEN}/live/s0.flv`;
  const isLive = () =>
    fetch(flv, { method: 'HEAD' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  let source = publisher();
  while (!(await isLive())) {
    if (source.exitCode !== null) source = publisher();
    await sleep(100);
  }
  const players = pinned(
    1,
    [process.execPath, join(here, 'srt-players.mjs'), ports.WEIR_SRT_LISTEN, 'live/s0', values.n, values.seconds],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  players.stdout.on('data', (chunk) => (said += chunk));
  const ended = new Promise((resolve) => players.once('exit', resolve));
  while (!said.includes('counting') && players.exitCode === null) await sleep(20);
  const family = familyOf(weir.pid);
  const before = cpuSeconds(family);
  await ended;
  const cpu = cpuSeconds(family) - before;
  const rss = family.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0));
  source.kill('SIGKILL');
  weir.kill('SIGTERM');
  await new Promise((resolve) => weir.once('exit', resolve));
  const result = JSON.parse(said.split('\n')[1]);
  return { ...result, cpu, rssMb: Math.max(...rss) / 1024 };
}

const result = new BenchResult('srt');
for (let round = 0; round < Number(values.rounds); round++) {
  const { bytes, players, cpu, rssMb } = await measure();
  result.add({
    asked: Number(values.n),
    players,
    kbitPerSecond: Math.round((bytes * 8) / players / Number(values.seconds) / 1000),
    cpuSeconds: Number(cpu.toFixed(2)),
    cpuSecondsPerGb: Number(((cpu / bytes) * 1e9).toFixed(2)),
    engineMb: Math.round(rssMb),
  });
}
