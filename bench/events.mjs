// Measures the cost of open consoles for the control plane: `node bench/events.mjs [streams] [consoles]`. Runs the built
// product, live streams of ffmpeg, and listeners that read the event stream through the front door as the console does;
// then all of them also open the overview and request its figures and pictures.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchResult } from './results.ts';

const [streams = 10, consoles = 20] = process.argv.slice(2).map(Number);
const measureMs = 15_000;
/** Clock ticks per second in Linux's process times. */
const ticks = 100;
const overviewMs = 5000;
/** Cards that a console shows at once. */
const inView = 12;
const secret = 'srs-v2-0123456789abcdef0123456789abcdef';
const [http, rtmp] = [22_122, 22_135];
const data = mkdtempSync(join(tmpdir(), 'weir-news-'));
const env = {
  ...process.env,
  WEIR_DATA: data,
  WEIR_LOG: 'warn',
  MGMT_PASSWORD: 'benchmark',
  SRS_PLATFORM_SECRET: secret,
  MGMT_LISTEN: String(http),
  HTTPS_LISTEN: '0',
  WEIR_RTMP_LISTEN: String(rtmp),
  WEIR_SRT_LISTEN: '0',
  WEIR_RTC_LISTEN: '0',
};
const start = join(import.meta.dirname, '../scripts/start.mjs');
const weir = spawn(process.execPath, [start], { env, stdio: 'inherit' });
const authorization = `Bearer ${secret}`;
const call = async (path, body = {}) => {
  const url = `http://127.0.0.1:${http}/terraform/v1/${path}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { authorization } });
  return (await response.json()).data;
};

/** Seconds of CPU that a process has had. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

async function shareOf(pid) {
  const before = cpuOf(pid);
  await sleep(measureMs);
  return ((cpuOf(pid) - before) * 1000) / measureMs;
}

/**
 * Polls like the overview: statistics of all streams every five seconds, and every second time thumbnails of those in
 * view.
 */
async function sample(afterMs, signal) {
  await sleep(afterMs, undefined, { signal });
  for (let round = 0; !signal.aborted; round += 1) {
    await call('mgmt/streams/overview');
    const seen = round % 2 === 0 ? Math.min(streams, inView) : 0;
    for (let n = 0; n < seen; n += 1) await picture(`s${n}`);
    await sleep(overviewMs, undefined, { signal });
  }
}

async function picture(stream) {
  const url = `http://127.0.0.1:${http}/terraform/v1/mgmt/streams/thumbnail`;
  const body = JSON.stringify({ app: 'live', stream });
  await (await fetch(url, { method: 'POST', body, headers: { authorization } })).arrayBuffer();
}

let source;
const gone = new AbortController();
try {
  while ((await call('mgmt/check').catch(() => undefined))?.init !== true) await sleep(100);
  await call('hooks/srs/secret/disable', { pubNoAuth: true });
  const outputs = Array.from({ length: streams }, (_, n) => `[f=flv]rtmp://127.0.0.1:${rtmp}/live/s${n}`).join('|');
  const video = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'aac', '-map', '0', '-map', '1'];
  source = spawn('ffmpeg', ['-v', 'error', '-re', ...video, ...codecs, '-f', 'tee', outputs], { stdio: 'ignore' });
  while ((await call('mgmt/streams/query'))?.streams.length !== streams) await sleep(200);
  const { planes } = await call('mgmt/components/query');
  const { pid } = planes.find(({ name }) => name === 'server');
  await sleep(3000);
  const alone = await shareOf(pid);
  let events = 0;
  for (let n = 0; n < consoles; n += 1) {
    const response = await fetch(`http://127.0.0.1:${http}/terraform/v1/mgmt/events`, {
      headers: { authorization },
      signal: gone.signal,
    });
    void (async () => {
      for await (const chunk of response.body)
        events += Buffer.from(chunk).toString().split('event: samples').length - 1;
    })().catch(() => undefined);
  }
  await sleep(2000);
  events = 0;
  const heard = await shareOf(pid);
  const rate = events / consoles / (measureMs / 1000);
  const result = new BenchResult('events');
  const percent = (share) => Number((share * 100).toFixed(1));
  result.add({ streams, consoles: 0, serverCpuPercent: percent(alone) });
  result.add({ streams, consoles, serverCpuPercent: percent(heard), samplesPerSecond: Number(rate.toFixed(2)) });
  for (let n = 0; n < consoles; n += 1) void sample((n * overviewMs) / consoles, gone.signal).catch(() => undefined);
  await sleep(2 * overviewMs);
  result.add({ streams, consoles, page: 'overview', serverCpuPercent: percent(await shareOf(pid)) });
} finally {
  gone.abort();
  source?.kill('SIGKILL');
  weir.kill('SIGTERM');
  weir.once('exit', () => rmSync(data, { recursive: true, force: true }));
}
