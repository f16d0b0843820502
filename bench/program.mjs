// A program through many switches: what a viewer, the recording and the engine see of them, and what standby inputs cost.
// node bench/program.mjs [switches] [standby inputs of 3 Mbit/s] [cuts]
// Without switches it measures only what standby inputs cost, with `cuts` only audio and video at the keyframes with which inputs are cut in.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameViewer } from '../tests/media/fixtures/frames.fixture.ts';
import { BenchResult } from './results.ts';

const [switches = 100, standby = 5] = process.argv.slice(2, 4).map(Number);
const isAtCuts = process.argv[4] === 'cuts';
const password = 'benchmark';
const data = mkdtempSync(join(tmpdir(), 'weir-program-'));
const film = join(data, 'film.mp4');
const heavy = join(data, 'heavy.mp4');
/** Each second a white flash and a beep with it, in the middle of groups: the pictures at a cut may be moved. */
const lit = isAtCuts ? { shiftSeconds: 0, seconds: 0.1 } : { shiftSeconds: 0.48, seconds: 0.2 };
const flash = `color=black:size=320x180:rate=25,drawbox=color=white:t=fill:enable='lt(mod(t+${lit.shiftSeconds}+0.001,1),${lit.seconds})'`;
const beep = `aevalsrc='if(lt(mod(t+${lit.shiftSeconds},1),${lit.seconds}),0.5*sin(2*PI*1000*t),0)':s=44100:c=stereo`;
/** Least silence before a beep; that between beeps of two inputs is shorter than a second. */
const silentSeconds = isAtCuts ? 0.15 : 0.3;
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25', '-pix_fmt', 'yuv420p'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];
const ffmpeg = (...args) => execFileSync('ffmpeg', ['-v', 'error', ...args], { maxBuffer: 2 ** 28, encoding: 'utf8' });
ffmpeg('-f', 'lavfi', '-i', flash, '-f', 'lavfi', '-i', beep, ...x264, ...aac, '-t', '600', film);
/** Of the backup. At cuts it has neither, so that each flash and beep is from a cut to the main input. */
const other = isAtCuts ? join(data, 'dark.mp4') : film;
const dark = [
  '-f',
  'lavfi',
  '-i',
  'color=black:size=320x180:rate=25',
  '-f',
  'lavfi',
  '-i',
  'anullsrc=r=44100:cl=stereo',
];
if (isAtCuts) ffmpeg(...dark, ...x264, ...aac, '-t', '600', other);
const rate = ['-x264-params', 'nal-hrd=cbr', '-b:v', '3M', '-minrate', '3M', '-maxrate', '3M', '-bufsize', '3M'];
const noise = 'testsrc2=size=640x360:rate=25';
ffmpeg('-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-i', beep, ...x264, ...rate, ...aac, '-t', '120', heavy);

const ports = { MGMT_LISTEN: '127.0.0.1:0', HTTPS_LISTEN: '127.0.0.1:0', WEIR_RTMP_LISTEN: '127.0.0.1:0' };
const udp = { WEIR_SRT_LISTEN: '127.0.0.1:0', WEIR_RTC_LISTEN: '127.0.0.1:0' };
const weir = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], {
  env: { PATH: process.env.PATH, ...ports, ...udp, WEIR_DATA: join(data, 'data'), MGMT_PASSWORD: password },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let said = '';
weir.stdout.on('data', (chunk) => {
  said += chunk;
});
const children = [];
const cleanUp = () => {
  for (const child of children) child.kill('SIGKILL');
  weir.kill('SIGTERM');
};
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
  cleanUp();
});
process.on('SIGINT', cleanUp);
process.on('SIGTERM', cleanUp);
weir.on('exit', () => {
  rmSync(data, { recursive: true, force: true });
  process.exit();
});

const isServing = (line) => line.startsWith('{') && JSON.parse(line).msg === 'serving';
const serving = () => said.split('\n').find(isServing);
while (!serving()) await sleep(50);
const { httpPort, rtmpPort } = JSON.parse(serving());
let bearer = '';
const post = async (path, body = {}) => {
  const headers = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
  const url = `http://127.0.0.1:${httpPort}/terraform/v1/${path}`;
  const answer = await (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).json();
  if (answer.code !== 0) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.data;
};
bearer = (await post('mgmt/login', { password })).bearer;
await post('hooks/srs/secret/disable', { pubNoAuth: true });
const until = async (check, what, withinMs = 30_000) => {
  for (const began = performance.now(); !(await check()); await sleep(50))
    if (performance.now() - began > withinMs) throw new Error(`never: ${what}`);
};
const publish = (stream, file, key = '') => {
  const url = `rtmp://127.0.0.1:${rtmpPort}/live/${stream}${key === '' ? '' : `?secret=${key}`}`;
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'flv', url];
  const child = spawn('ffmpeg', args, { stdio: 'ignore' });
  children.push(child);
  return child;
};
const rowOf = async (uuid) => (await post('live/program/query')).programs.find((row) => row.uuid === uuid);
const areGood = async (uuid, count) =>
  (await rowOf(uuid)).states.filter(({ state }) => state === 'good').length === count;

const statusOf = (pid) => readFileSync(`/proc/${pid}/status`, 'utf8');
const engine = readdirSync('/proc')
  .filter((pid) => /^\d+$/.test(pid))
  .find((pid) => {
    try {
      const isOurs = Number(/^PPid:\s+(\d+)$/m.exec(statusOf(pid))?.[1]) === weir.pid;
      return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/engine/dist/main');
    } catch {
      return false;
    }
  });
const facts = () => ({
  mb: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(engine))?.[1]) / 1024),
  files: readdirSync(`/proc/${engine}/fd`).length,
});
/** Seconds of one core that the engine has used, its children not among them. */
const cpuSeconds = () => {
  const fields = readFileSync(`/proc/${engine}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const shareOf = async (ms) => {
  const before = cpuSeconds();
  await sleep(ms);
  return ((cpuSeconds() - before) / ms) * 100_000;
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const round = (value) => Math.round(value * 10) / 10;
/** When pictures turn white and when beeps begin, in milliseconds, and what decoding complained of. */
function examine(file) {
  const passing = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];
  const light = ffmpeg(
    ...['-i', file, '-map', '0:v', '-vf', 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'],
    ...[...passing, '-f', 'null', '-'],
  );
  const frames = [...light.matchAll(/pts_time:(\S+)\n.*YAVG=(\S+)/g)].map(([, at, light]) => [1000 * at, light > 128]);
  const flashes = frames.filter(([, isWhite], index) => isWhite && frames[index - 1]?.[1] === false).map(([at]) => at);
  const quiet = `silencedetect=n=-30dB:d=${silentSeconds},ametadata=print:key=lavfi.silence_end:file=-`;
  const heard = ffmpeg('-i', file, '-map', '0:a', '-af', quiet, '-f', 'null', '-');
  const beeps = [...heard.matchAll(/silence_end=(\S+)/g)].map(([, at]) => 1000 * at);
  // A flash and the beep that is nearest to it. One that a cut made or shortened has none.
  const offsets = flashes.flatMap((at) => {
    const nearest = beeps.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
    return nearest === undefined || Math.abs(nearest - at) > 100 ? [] : [nearest - at];
  });
  const tenth = Math.max(1, Math.floor(offsets.length / 10));
  const steps = frames.slice(1).map(([at], index) => at - frames[index][0]);
  return {
    seconds: Math.round((frames.at(-1)?.[0] ?? 0) / 1000),
    flashes: flashes.length,
    pairs: offsets.length,
    offsetMs: {
      first: round(median(offsets.slice(0, tenth))),
      last: round(median(offsets.slice(-tenth))),
      median: round(median(offsets)),
      worst: round(Math.max(...offsets.map((offset) => Math.abs(offset - median(offsets))))),
      range: [round(Math.min(...offsets)), round(Math.max(...offsets))],
    },
    longestFrameMs: Math.round(Math.max(...steps)),
  };
}
const complaintsOf = (file) => {
  const args = [
    '-v',
    'warning',
    '-i',
    file,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:90000',
    '-f',
    'null',
    '-',
  ];
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => child.on('exit', () => resolve(text.trim())));
};

const result = new BenchResult(isAtCuts ? 'program-cuts' : 'program', { isQuick: switches < 20 });
if (switches > 0) await measureSwitches();
if (!isAtCuts) await measureStandby();
cleanUp();

async function measureSwitches() {
  await post('hooks/record/apply', { all: true });
  const inputs = [{ kind: 'publisher' }, { kind: 'backup' }, { kind: 'slate' }];
  const program = await post('live/program/save', { app: 'live', stream: 'show', inputs, isReturning: false });
  publish('show', film);
  await until(async () => (await rowOf(program.uuid)).onAir === 'publisher', 'on air');
  // Groups of both begin at other moments.
  await sleep(400);
  publish('show', other, program.inputs[1].key);
  await until(() => areGood(program.uuid, 2), 'the backup is there');
  const capture = join(data, 'capture.flv');
  const viewer = spawn(
    'ffmpeg',
    ['-v', 'error', '-i', `http://127.0.0.1:${httpPort}/live/show.flv`, '-c', 'copy', capture],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  );
  children.push(viewer);
  const frames = FrameViewer.overFlv(httpPort, '/live/show.flv');
  /** Distance of the newest frames from our own clock. */
  const clockMs = () => median(frames.times.video.map((at, index) => at - frames.arrivals.video[index]).slice(-100));
  await sleep(6000);
  const before = facts();
  const clockBeforeMs = clockMs();
  const during = [];
  for (let count = 0; count < switches; count++) {
    // Memory of a leak keeps growing, memory of garbage does not.
    if (count > 0 && count % 50 === 0) during.push({ switches: count, ...facts() });
    const to = count % 2 === 0 ? 'backup' : 'publisher';
    await post('live/program/switch', { uuid: program.uuid, input: to });
    await until(async () => (await rowOf(program.uuid)).onAir === to, `${to} on air`);
  }
  await sleep(6000);
  const clockMovedMs = round(clockMs() - clockBeforeMs);
  frames.close();
  result.add({ what: 'engine over the switches', switches, before, during, after: facts(), clockMovedMs });
  const { onAir } = await rowOf(program.uuid);
  for (const child of children.filter((one) => one !== viewer)) child.kill('SIGKILL');
  await until(async () => (await rowOf(program.uuid)).onAir !== onAir, 'the slate');
  await sleep(5000);
  viewer.stdin.end('q');
  await new Promise((resolve) => viewer.on('exit', resolve));
  result.add({ what: 'viewer over HTTP-FLV', ...examine(capture), complaints: await complaintsOf(capture) });

  const recordings = () => post('hooks/record/files').then((all) => all.filter(({ stream }) => stream === 'show'));
  const found = await recordings();
  const [{ uuid }] = found;
  await post('hooks/record/end', { uuid });
  await until(
    async () => !(await recordings()).find((one) => one.uuid === uuid).progress,
    'the recording is finished',
    120_000,
  );
  const folder = join(data, 'data/record', uuid);
  const files = readdirSync(folder).filter((name) => name.endsWith('.mp4'));
  const mp4 = join(folder, files[0]);
  result.add({
    what: 'recording with 5 s of slate',
    recordings: found.length,
    files: files.length,
    ...examine(mp4),
    complaints: await complaintsOf(mp4),
  });
  await post('live/program/remove', { uuid: program.uuid });
}

/** A program with one input, then with all of them. */
async function measureStandby() {
  const many = await post('live/program/save', {
    app: 'live',
    stream: 'many',
    isReturning: false,
    inputs: [{ kind: 'publisher' }, ...Array.from({ length: standby }, () => ({ kind: 'backup' }))],
  });
  publish('many', heavy);
  await until(() => areGood(many.uuid, 1), 'one input');
  await sleep(5000);
  const alone = await shareOf(20_000);
  for (const { kind, key } of many.inputs) if (kind === 'backup') publish('many', heavy, key);
  await until(() => areGood(many.uuid, standby + 1), 'all inputs');
  await sleep(5000);
  const together = await shareOf(20_000);
  result.add({
    what: 'standby inputs of 3 Mbit/s over RTMP, share of a core in percent',
    inputs: standby,
    without: round(alone),
    with: round(together),
    each: Math.round(((together - alone) / standby) * 100) / 100,
  });
}
