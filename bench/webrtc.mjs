// Measures the cost of WebRTC viewers: ffmpeg publishes by RTMP, N viewers play by WHEP, Weir on core 0 and all others on core 1.
//   node bench/webrtc.mjs [--n 100,250] [--seconds 20] [--settle 60] [--transports own,library] [--workers 1] [--minutes 0]
// Prints for each transport and N: packets and octets delivered per second, CPU of all processes of the engine per packet, per viewer and per
// GB, how much later than the fastest frames arrived, and how long after its POST a viewer had its first one. `--settle` is how long viewers
// watch before it counts: a process that runs for days has its code compiled. With `--minutes 60` it goes on for so long and tells memory and
// descriptors every minute. With SRS_BINARY, an SRS that was built with WebRTC does the same in the same run.
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchResult } from './results.ts';
import { cpuSeconds, descriptors, residentMb, startOn, startProduct, usualMedia } from './webrtc/product.mjs';
import { startSrs } from './webrtc/srs.mjs';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '100,250' },
    seconds: { type: 'string', default: '20' },
    settle: { type: 'string', default: '60' },
    transports: { type: 'string', default: process.env.SRS_BINARY ? 'own,library,srs' : 'own,library' },
    workers: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '0' },
    media: { type: 'string', default: usualMedia },
  },
});
const round = (value, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;
const result = new BenchResult(Number(values.minutes) > 0 ? 'webrtc-hours' : 'webrtc');
const say = (row) => result.add(row);

/** A process of viewers, who come when `join` is called. */
function startViewers(whepUrl, kind) {
  const file = join(import.meta.dirname, 'webrtc/viewers.mjs');
  const child = startOn(1, process.execPath, [file, whepUrl, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  let ready = Promise.withResolvers();
  const times = Promise.withResolvers();
  const viewers = {
    received: { packets: 0, bytes: 0 },
    join(n) {
      ready = Promise.withResolvers();
      child.stdin.write(`${n}\n`);
      return ready.promise;
    },
    stop: () => child.kill('SIGTERM') && times.promise,
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.event === 'ready') ready.resolve();
    else if (message.event === 'times') times.resolve(message);
    else viewers.received = message;
  });
  child.once('exit', () => {
    ready.reject(new Error('the viewers ended'));
    times.resolve({});
  });
  return viewers;
}

const watched = 6;

/** Watched viewers are spread evenly among the others: the last ones are served last. */
async function gather(whepUrl, n) {
  const crowd = startViewers(whepUrl, 'crowd');
  const viewers = startViewers(whepUrl, 'watched');
  for (let part = 1; part <= watched; part++) {
    await crowd.join(Math.floor((n * part) / watched) - Math.floor((n * (part - 1)) / watched) - 1);
    await viewers.join(1);
  }
  return { crowd, viewers };
}

const cpuOf = ({ engine, workers }) => ({
  engine: cpuSeconds(engine),
  workers: workers.map((pid) => cpuSeconds([pid])),
});

async function measure(product, n, transport) {
  const { crowd, viewers } = await gather(product.whepUrl, n);
  await sleep(Number(values.settle) * 1000);
  const pids = product.pids();
  // A server without counters is assumed to send to all what one viewer receives.
  const sentToAll = () => ({ viewers: n, packets: viewers.received.packets * n, bytes: viewers.received.bytes * n });
  const sent = product.sent ?? sentToAll;
  const before = { ...(await sent()), cpu: cpuOf(pids), at: performance.now(), received: viewers.received.packets };
  await sleep(Number(values.seconds) * 1000);
  const passed = (performance.now() - before.at) / 1000;
  const cpu = cpuOf(pids);
  const after = await sent();
  const packets = after.packets - before.packets;
  const bytes = after.bytes - before.bytes;
  const received = viewers.received.packets - before.received;
  const engine = cpu.engine - before.cpu.engine;
  const workers = cpu.workers.map((seconds, index) => seconds - before.cpu.workers[index]);
  const all = workers.reduce((sum, seconds) => sum + seconds, engine);
  for (let minute = 1; minute <= Number(values.minutes); minute++) await reportMinute(minute, pids);
  const { delayMs, firstMs } = await viewers.stop();
  await crowd.stop();
  say({
    transport,
    viewers: after.viewers,
    // The load's core may be too busy to take everything; what counts is what was sent.
    receivedShare: round((received * n) / packets, 2),
    packetsPerSecond: round(packets / passed, 0),
    mbitPerSecond: round((bytes * 8) / passed / 1e6),
    cpuPercent: round((all / passed) * 100),
    engineCpuPercent: round((engine / passed) * 100),
    workersCpuPercent: workers.map((seconds) => round((seconds / passed) * 100)),
    usPerPacket: round((all / packets) * 1e6),
    cpuPercentPerViewer: round((all / passed / n) * 100, 3),
    cpuSecondsPerGb: round((all / bytes) * 1e9, 2),
    residentMb: residentMb([...pids.engine, ...pids.workers]),
    delayMs,
    firstMs,
  });
  await sleep(1000);
}

async function reportMinute(minute, { engine, workers }) {
  const before = cpuSeconds([...engine, ...workers]);
  await sleep(60_000);
  say({
    minute,
    cpuPercent: round(((cpuSeconds([...engine, ...workers]) - before) / 60) * 100),
    residentMb: { engine: residentMb(engine), workers: residentMb(workers) },
    descriptors: { engine: descriptors(engine), workers: descriptors(workers) },
  });
}

async function startServer(transport) {
  if (transport === 'srs') return startSrs(process.env.SRS_BINARY, values.media);
  return startProduct({ WEIR_RTC_TRANSPORT: transport, WEIR_RTC_WORKERS: values.workers }, values.media);
}

async function measureTransport(transport) {
  const product = await startServer(transport);
  try {
    await sleep(2000);
    const { engine } = product.pids();
    const before = { cpu: cpuSeconds(engine), at: performance.now() };
    await sleep(5000);
    const share = (cpuSeconds(engine) - before.cpu) / ((performance.now() - before.at) / 1000);
    say({ transport, viewers: 0, cpuPercent: round(share * 100), residentMb: residentMb(engine) });
    for (const n of values.n.split(',').map(Number)) await measure(product, n, transport);
  } finally {
    await product.close();
  }
}

for (const transport of values.transports.split(',')) await measureTransport(transport);
