// RTMP, HTTP-FLV or HLS viewers with none, one and two delivery workers: `node bench/delivery.mjs [--kind flv|rtmp|hls|tls] [--n 1500] [--seconds 15] [--rounds 2] [--media FILE --bps BYTES] [--out NAME]`.
// CPU time of every process is counted, so that load on the same machine says little about it: `viewersPerCore` is how many viewers
// the busiest process would serve on a full core, all of them together. Two workers get twice the viewers of one.
// `--kind tls` is HTTP-FLV over HTTPS, whose viewers are a program of Node.
// A call of the API is made ten times a second meanwhile. Rows are printed, and kept in a file of bench/results where `--out` names one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, familyOf } from './family.ts';
import { BenchResult } from './results.ts';

const here = import.meta.dirname;
const work = join(here, '../.cache/bench');
const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: 'flv' },
    n: { type: 'string', default: '1500' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '2' },
    media: { type: 'string', default: join(work, 'm1000.flv') },
    bps: { type: 'string', default: '126000' },
    workers: { type: 'string', default: '0,1,2' },
    out: { type: 'string' },
  },
});
const ports = { MGMT_LISTEN: '28391', HTTPS_LISTEN: '28693', WEIR_RTMP_LISTEN: '29571', WEIR_SRT_LISTEN: '29380' };
const origin = `http://127.0.0.1:${ports.MGMT_LISTEN}`;
const rtmp = `rtmp://127.0.0.1:${ports.WEIR_RTMP_LISTEN}/live/s0`;
const isSecure = values.kind === 'tls';
const media = isSecure ? `https://127.0.0.1:${ports.HTTPS_LISTEN}` : origin;
const url = values.kind === 'rtmp' ? rtmp : `${media}/live/s0.${values.kind === 'hls' ? 'm3u8' : 'flv'}`;
/** Notices of viewers go to the control plane one after the other; they are not what is measured. */
const settleOf = (n) => Math.round(8 + n * 0.012);
/** Time in which viewers come: 20 of TLS in 50 ms, who then wait for 2 s; of others 500 in a second. */
const rampOf = (n) => (isSecure ? n * 0.003 + 2 : n / 500 + settleOf(n));
const lsb = join(work, 'lsb');

const round = (value, digits = 2) => Number(value.toFixed(digits));
const sorted = (list) => list.toSorted((a, b) => a - b);
const at = (list, share) => round(sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0, 1);

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Processes of the product by what they are. */
function partsOf(root) {
  const parts = { engine: [], workers: [], rest: [] };
  for (const pid of familyOf(root)) {
    const command = commandOf(pid);
    if (command.includes('delivery-worker')) parts.workers.push(pid);
    else parts[command.includes('engine/dist/main') ? 'engine' : 'rest'].push(pid);
  }
  return parts;
}

async function until(condition) {
  // The first start may have to build.
  const deadline = Date.now() + 180_000;
  while (!(await Promise.resolve(condition()).catch(() => false))) {
    if (Date.now() > deadline) throw new Error('not within three minutes');
    await sleep(100);
  }
}

/** Delays of a call that both planes take part in. */
async function callApi(signal) {
  const delays = [];
  while (!signal.aborted) {
    const before = performance.now();
    await (await fetch(`${origin}/api/v1/versions`)).text();
    delays.push(performance.now() - before);
    await sleep(100);
  }
  return delays;
}

/** Viewers, and what they saw when they have ended. */
function watch(n) {
  const lsbArgs = ['--n', String(n), '--ramp', '500', '--settle', String(settleOf(n)), '--time', values.seconds];
  const [program, args] = isSecure
    ? [process.execPath, [join(here, 'tls/viewers.mjs'), url, String(n), values.seconds]]
    : [lsb, [values.kind, '--url', url, ...lsbArgs, '--bps', values.bps]];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const seen = once(child, 'exit').then(() => {
    const said = JSON.parse(text.trim().split('\n').at(-1));
    if (!isSecure) return said;
    const gb = said.bytes / 1e9;
    const seconds = Number(values.seconds);
    return { gb, window_s: seconds, mbps: round((gb * 8000) / seconds, 0), alive: n - said.failed };
  });
  return { child, seen };
}

/** A first viewer without TLS, who stays: workers start with one. */
async function startWorkers(workers, weir) {
  const response = await fetch(`${origin}/live/s0.flv`);
  response.body.pipeTo(new WritableStream()).catch(() => undefined);
  await until(() => partsOf(weir.pid).workers.length === workers);
  await sleep(2000);
}

async function measure(workers, n, number, result) {
  const ready = join(work, 'delivery-ready');
  rmSync(ready, { force: true });
  const env = {
    ...process.env,
    ...ports,
    WEIR_BENCH_READY: ready,
    WEIR_DELIVERY_WORKERS: String(workers),
    BENCH_TEST: values.kind,
  };
  const weir = spawn(process.execPath, [join(here, 'weir.mjs')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const children = [weir];
  try {
    await until(() => existsSync(ready));
    const pub = ['pub', '--url', rtmp, '--file', values.media, '--settle', '0', '--time', '3600'];
    children.push(spawn(lsb, pub, { stdio: 'ignore' }));
    await until(async () => (await fetch(`${origin}/live/s0.flv`, { method: 'HEAD' })).ok);
    // The first segments.
    if (values.kind === 'hls') await sleep(8000);
    if (isSecure) await startWorkers(workers, weir);
    const viewers = watch(n);
    children.push(viewers.child);
    await sleep(rampOf(n) * 1000);
    const parts = partsOf(weir.pid);
    const read = () => ({
      engine: cpuSeconds(parts.engine),
      workers: parts.workers.map((pid) => cpuSeconds([pid])),
      ms: performance.now(),
    });
    const abort = new AbortController();
    const calls = callApi(abort.signal);
    const before = read();
    await sleep(Number(values.seconds) * 1000 - 1000);
    const after = read();
    abort.abort();
    const delays = await calls;
    const seen = await viewers.seen;
    const seconds = (after.ms - before.ms) / 1000;
    const shares = after.workers.map((value, index) => (value - before.workers[index]) / seconds);
    const engine = (after.engine - before.engine) / seconds;
    const gb = (seen.gb / seen.window_s) * seconds;
    result.add({
      kind: values.kind,
      workers,
      viewers: n,
      round: number,
      cores: availableParallelism(),
      enginePercent: round(engine * 100, 1),
      workerPercent: shares.map((share) => round(share * 100, 1)),
      cpuSecondsPerGb: round(((engine + shares.reduce((sum, share) => sum + share, 0)) * seconds) / gb),
      viewersPerCore: Math.round(n / Math.max(engine, ...shares)),
      mbps: seen.mbps,
      alive: seen.alive,
      behind: seen.behind,
      latencyMs: { p50: seen.lat_ms?.p50, p99: seen.lat_ms?.p99 },
      apiMs: { p50: at(delays, 0.5), p99: at(delays, 0.99) },
    });
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await once(weir, 'exit');
  }
}

mkdirSync(work, { recursive: true });
if (!existsSync(lsb) || !existsSync(values.media))
  throw new Error('run `npm run bench -- idle --quick` once: it builds what this needs');
const result = new BenchResult(values.out ?? 'delivery', { isQuick: values.out === undefined });
const n = Number(values.n);
for (let number = 1; number <= Number(values.rounds); number++) {
  for (const workers of values.workers.split(',').map(Number))
    await measure(workers, Math.max(1, workers) * n, number, result);
}
