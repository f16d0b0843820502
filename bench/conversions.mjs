// Measures the cost and the delay of conversion: node bench/conversions.mjs [SECONDS]
// Publishes clips in real time to a stream in this process; prints, per kind of conversion, the time to the first frame, the delay of
// the others behind their source, and the processor time of the child and of this process.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Clients } from '../apps/engine/src/hub/clients/clients.ts';
import { PlayerViews } from '../apps/engine/src/hub/player-views/player-views.ts';
import { Stream } from '../apps/engine/src/hub/stream.ts';
import { MpegTsDemuxer } from '../packages/media/src/containers/mpegts/mpegts-demuxer.ts';
import { createLog } from '../packages/plane/src/index.ts';
import { BenchResult } from './results.ts';

const seconds = Number(process.argv[2] ?? 10);
const result = new BenchResult('conversions');
const sine = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const picture = (size, fps, rate) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${fps}`,
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-bf',
  '2',
  '-g',
  String(2 * fps),
  '-b:v',
  rate,
  '-maxrate',
  rate,
  '-bufsize',
  rate,
  '-pix_fmt',
  'yuv420p',
];
const cases = [
  ['Opus → AAC', 'classic', [...sine, '-c:a', 'libopus', '-ac', '2']],
  ['AAC → Opus', 'webrtc', [...sine, '-c:a', 'aac', '-ac', '2']],
  ['B-frames 720p25', 'webrtc', picture('1280x720', 25, '2000k')],
  ['B-frames 1080p30', 'webrtc', picture('1920x1080', 30, '4500k')],
];

function record(args) {
  const container = ['-t', String(seconds), '-pes_payload_size', '0', '-f', 'mpegts', 'pipe:1'];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', ...args, ...container], { maxBuffer: 2 ** 30 });
  const demuxer = new MpegTsDemuxer();
  return [...demuxer.push(bytes), ...demuxer.flush()];
}

/** User and system time of a process, in milliseconds (proc_pid_stat, fields 14 and 15, in hundredths of a second). */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function childPid() {
  return Number(readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')[0]);
}

const place = { vhost: '__defaultVhost__', app: 'live', name: 'bench' };
const publisher = () => {
  const info = { id: 'x', kind: 'rtmp-publish', address: '', place, param: '', tcUrl: '', pageUrl: '' };
  return Clients.entry({ ...info, connectedAt: new Date() }, () => {});
};

for (const [name, playerKind, args] of cases) {
  const items = record(args);
  const stream = new Stream({ key: 'live/bench', place, returnMs: 60_000, onOver: () => {} });
  const playerViews = new PlayerViews({ log: createLog('bench', 'error') });
  const seen = [];
  const nothing = () => {};
  const onFrame = (frame) => seen.push({ ptsMs: frame.ptsMs, at: performance.now() });
  playerViews.of(stream, playerKind).attach({ onConfig: nothing, onFrame, onDiscontinuity: nothing, close: nothing });
  const publication = stream.publish(publisher());
  const own = process.cpuUsage();
  const began = performance.now();
  let firstMs;
  for (const item of items) {
    if (item.type === 'config') publication.config(item.config);
    if (item.type !== 'frame') continue;
    firstMs ??= item.frame.dtsMs;
    const waitMs = item.frame.dtsMs - firstMs - (performance.now() - began);
    if (waitMs > 1) await sleep(waitMs);
    publication.frame(item.frame);
  }
  const child = Number((cpuMs(childPid()) / seconds / 10).toFixed(1));
  const { user, system } = process.cpuUsage(own);
  const delays = seen
    .slice(20)
    .map(({ ptsMs, at }) => at - began - ptsMs)
    .sort((a, b) => a - b);
  const rank = (share) => Math.round(delays[Math.floor(delays.length * share)]);
  result.add({
    conversion: name,
    firstFrameMs: Math.round(seen[0].at - began),
    p50Ms: rank(0.5),
    p99Ms: rank(0.99),
    childCpuPercent: child,
    engineCpuPercent: Number(((user + system) / seconds / 10_000).toFixed(1)),
  });
  stream.close();
  await playerViews.close();
}
