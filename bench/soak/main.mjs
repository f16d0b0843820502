// Memory of a quiet product over time: `npm run bench -- soak [--minutes 60] [--pace 1] [--viewers 0] [--objects 3] [--buffers 10] [--native 8] [--file 8] [--resident 60]`. The built product, one publisher
// over RTMP and one over SRT, a viewer, and a console that listens and looks as people's do; `--pace 20` looks twenty times as often, which is twenty hours in one.
// With `--viewers 1000` so many watch over HTTP-FLV, a tenth of whom stall (viewers.mjs), and the stream has 0.9 Mbit/s.
// Prints MB of each process once a minute: resident, and its parts after all garbage was collected. Exits with 1 when a part has grown by more than its bound
// between the second and the last quarter of the time. Buffers vary with the segments in memory. Resident memory also holds V8's space for new objects, which grows
// with load, up to 48 MB in all.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchResult } from '../results.ts';
import { growthOf, readProcesses } from './memory.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pace: { type: 'string', default: '1' },
    viewers: { type: 'string', default: '0' },
    objects: { type: 'string', default: '3' },
    buffers: { type: 'string', default: '10' },
    native: { type: 'string', default: '8' },
    file: { type: 'string', default: '8' },
    resident: { type: 'string', default: '60' },
  },
});
const { minutes, pace, viewers, ...bounds } = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
);
if (!(minutes >= 4 && pace > 0 && viewers >= 0 && Object.values(bounds).every((bound) => bound > 0)))
  throw new Error('use --minutes 4 or more, and --pace, --objects, --buffers, --native, --file and --resident above 0');

const result = new BenchResult(viewers > 0 ? 'soak-viewers' : 'soak', { isQuick: viewers === 0 && minutes < 60 });
const secret = 'srs-v2-0123456789abcdef0123456789abcdef';
const [http, rtmp, srt] = [22_222, 22_235, 22_280];
const data = mkdtempSync(join(tmpdir(), 'weir-soak-'));
const heaps = join(data, 'heaps');
mkdirSync(heaps);
const env = {
  ...process.env,
  WEIR_DATA: join(data, 'data'),
  WEIR_LOG: 'warn',
  WEIR_SOAK_DIR: heaps,
  NODE_OPTIONS: `--require=${join(import.meta.dirname, 'heap.cjs')}`,
  MGMT_PASSWORD: 'benchmark',
  SRS_PLATFORM_SECRET: secret,
  MGMT_LISTEN: String(http),
  HTTPS_LISTEN: '0',
  WEIR_RTMP_LISTEN: String(rtmp),
  WEIR_SRT_LISTEN: String(srt),
  WEIR_RTC_LISTEN: '0',
};
const weir = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/start.mjs')], { env, stdio: 'inherit' });
const headers = { authorization: `Bearer ${secret}` };
const origin = `http://127.0.0.1:${http}`;
const call = async (path, body = {}) => {
  const response = await fetch(`${origin}/terraform/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });
  return (await response.json()).data;
};

/** Polls like a console that shows the overview and the page of a stream. */
async function sample(signal) {
  const show = { app: 'live', stream: 'show' };
  const calls = [
    ['mgmt/streams/overview', 5000, {}],
    ['mgmt/streams/detail', 5000, show],
    ['mgmt/streams/query', 10_000, {}],
    ['mgmt/status', 10_000, {}],
    ['mgmt/server/diagnosis', 10_000, {}],
    ['mgmt/streams/timeline', 10_000, show],
    ['mgmt/streams/history', 60_000, show],
  ];
  await Promise.all(
    calls.map(async ([path, everyMs, body]) => {
      while (!signal.aborted) {
        await call(path, body).catch(() => undefined);
        await sleep(everyMs / pace, undefined, { signal }).catch(() => undefined);
      }
    }),
  );
}

/** Reads a response that never ends. */
async function read(path, signal) {
  const response = await fetch(`${origin}${path}`, { headers, signal });
  for await (const _chunk of response.body);
}

/** Starts the viewers. `read` returns what they counted since the last time. */
function startViewers() {
  const args = [join(import.meta.dirname, 'viewers.mjs'), String(http), '/live/show.flv', String(viewers)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: process.env });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return {
    read: () => {
      const text = said.trim();
      said = '';
      return text === '' ? undefined : JSON.parse(text.slice(text.lastIndexOf('\n') + 1));
    },
    stop: () => child.kill('SIGKILL'),
  };
}

const gone = new AbortController();
let source;
let crowd;
try {
  while ((await call('mgmt/check').catch(() => undefined))?.init !== true) await sleep(100);
  await call('hooks/srs/secret/disable', { pubNoAuth: true });
  const video = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine'];
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '50',
    ...(viewers > 0 ? ['-b:v', '900k', '-minrate', '900k', '-maxrate', '900k', '-bufsize', '450k'] : []),
    ...(viewers > 0 ? ['-x264-params', 'nal-hrd=cbr'] : []),
    '-c:a',
    'aac',
    '-map',
    '0',
    '-map',
    '1',
  ];
  const outputs = [
    `[f=flv]rtmp://127.0.0.1:${rtmp}/live/show`,
    `[f=mpegts]srt://127.0.0.1:${srt}?streamid=#!::r=live/srt,m=publish`,
  ].join('|');
  source = spawn('ffmpeg', ['-v', 'error', '-re', ...video, ...codecs, '-f', 'tee', outputs], { stdio: 'ignore' });
  while ((await call('mgmt/streams/query'))?.streams.length !== 2) await sleep(200);
  const { planes } = await call('mgmt/components/query');
  for (const path of ['/terraform/v1/mgmt/events', '/live/show.flv']) read(path, gone.signal).catch(() => undefined);
  if (viewers > 0) crowd = startViewers();
  const looking = sample(gone.signal);
  const rows = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    await sleep(60_000);
    rows.push(readProcesses(planes, heaps));
    const watched = crowd?.read();
    const text = [...rows.at(-1).map(describe), ...(watched ? [`viewers ${JSON.stringify(watched)}`] : [])].join('   ');
    const row = { minute, processes: rows.at(-1), ...(watched && { viewers: watched }) };
    result.add(row, `${String(minute).padStart(3)} min  ${text}`);
  }
  gone.abort();
  await looking;
  const grown = growthOf(rows);
  result.add({ grown }, '');
  for (const { name, part, mb } of grown) {
    const verdict = mb > bounds[part] ? `beyond ${bounds[part]} MB` : 'ok';
    console.log(`${name} ${part}: ${mb >= 0 ? '+' : ''}${mb.toFixed(1)} MB, ${verdict}`);
  }
  const isBeyond = grown.some(({ part, mb }) => mb > bounds[part]);
  process.exitCode = isBeyond || grown.length === 0 ? 1 : 0;
} finally {
  gone.abort();
  crowd?.stop();
  source?.kill('SIGKILL');
  weir.kill('SIGTERM');
  await new Promise((resolve) => weir.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}

function describe({ name, resident, ...parts }) {
  const figures = Object.entries(parts).map(([part, mb]) => `${part} ${mb.toFixed(1)}`);
  return `${name} ${resident.toFixed(1)} (${figures.join(', ')})`;
}
