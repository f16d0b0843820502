// A ladder beside a plain ffmpeg that does the same work: npm run bench -- ladder [SECONDS] [ROUNDS], and how soon qualities are back when ffmpeg
// is killed: npm run bench -- ladder kills [COUNT]
// Publishes a 720p25 clip in real time to a stream in this process with a ladder of 480p and 240p. At the same time, so that other programs
// disturb both alike, ffmpeg reads the clip at the same pace with the same encoders. Prints the CPU time of each in percent of a core, without
// what the stream costs by itself.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { LadderPlan } from '@weir/engine-api';
import type { Demuxed, MediaFrame } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { createLog } from '@weir/plane';
import { Clients } from '../apps/engine/src/hub/clients/clients.ts';
import { Hub } from '../apps/engine/src/hub/hub.ts';
import { Ladders } from '../apps/engine/src/hub/ladder/ladders.ts';
import { BenchResult } from './results.ts';

const isKills = process.argv[2] === 'kills';
const [seconds = 20, rounds = isKills ? 10 : 3] = isKills
  ? [20, ...process.argv.slice(3).map(Number)]
  : process.argv.slice(2).map(Number);
const place = { vhost: '__defaultVhost__', app: 'live', name: 'bench' };
const plan: LadderPlan = {
  vhost: place.vhost,
  app: place.app,
  stream: place.name,
  encoder: 'libx264',
  preset: 'superfast',
  device: '',
  isOnDemand: false,
  hasAudioOnly: false,
  rungs: [
    { lines: 480, kbps: 1200 },
    { lines: 240, kbps: 350 },
  ],
};
const folder = mkdtempSync(join(tmpdir(), 'weir-ladder-'));
const clip = join(folder, 'clip.ts');

function record(): Demuxed[] {
  // Noise moves like a film: a still test picture costs a third less.
  const picture = 'testsrc2=size=1280x720:rate=25,noise=alls=12:allf=t';
  const encoding =
    '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 50 -bf 0 -b:v 3000k -maxrate 3000k -bufsize 3000k';
  const args = ['-v', 'error', '-f', 'lavfi', '-i', picture, ...encoding.split(' '), '-t', String(seconds)];
  const bytes = execFileSync('ffmpeg', [...args, '-f', 'mpegts', 'pipe:1'], { maxBuffer: 2 ** 30 });
  writeFileSync(clip, bytes);
  const demuxer = new MpegTsDemuxer();
  return [...demuxer.push(bytes), ...demuxer.flush()];
}

/** User and system time of a process in milliseconds (proc_pid_stat, fields 14 and 15, in hundredths of a second). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const percent = (ms: number) => Math.round(ms / seconds) / 10;

/** Ladders run behind other programs, which may be many on the machine that measures. */
function raise(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), getPriority());
}

/** CPU time of this process and of ffmpeg, in percent of a core. */
async function play(items: readonly Demuxed[], plans: readonly LadderPlan[]) {
  const hub = new Hub({ returnMs: 60_000 });
  const ladders = new Ladders({ hub, log: createLog('bench', 'error') });
  ladders.setPlans(plans);
  const info = { id: 'x', kind: 'rtmp-publish', address: '', place, param: '', tcUrl: '', pageUrl: '' } as const;
  const publication = hub.open(place)?.publish(Clients.entry({ ...info, connectedAt: new Date() }, () => undefined));
  const own = process.cpuUsage();
  const began = performance.now();
  let firstMs: number | undefined;
  let frames = 0;
  for (const item of items) {
    if (item.type === 'config') publication?.config(item.config);
    if (item.type !== 'frame') continue;
    firstMs ??= item.frame.dtsMs;
    const waitMs = item.frame.dtsMs - firstMs - (performance.now() - began);
    if (waitMs > 1) await sleep(waitMs);
    publication?.frame(item.frame);
    frames += 1;
    const pid = frames < 100 ? ladders.statuses()[0]?.pid : 0;
    if (pid) raise(pid);
  }
  const [status] = ladders.statuses();
  const child = status && status.pid > 0 ? percent(cpuMs(status.pid)) : 0;
  const { user, system } = process.cpuUsage(own);
  hub.close();
  await ladders.close();
  return { child, own: percent((user + system) / 1000), isBehind: status?.isBehind ?? false };
}

/** The same encodings as somebody would write them, at the pace of the clip. */
async function plain(): Promise<number> {
  const split = '[0:v]split=2[a][b];[a]scale=-2:480:flags=bilinear[v0];[b]scale=-2:240:flags=bilinear[v1]';
  const rung = (index: number, kbps: number) => {
    const codec = '-c:v libx264 -preset superfast -tune zerolatency -profile:v main -pix_fmt yuv420p -g 50';
    return [
      '-map',
      `[v${index}]`,
      ...codec.split(' '),
      ...`-b:v ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k`.split(' '),
    ];
  };
  const start = ['-hide_banner', '-benchmark', '-re', '-threads', '1', '-i', clip, '-filter_complex', split];
  const outputs = plan.rungs.flatMap(({ kbps }, index) => [...rung(index, kbps), '-f', 'mpegts', '-y', '/dev/null']);
  const { stderr } = await promisify(execFile)('ffmpeg', [...start, ...outputs]);
  const [, user = '', system = ''] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  return percent((Number(user) + Number(system)) * 1000);
}

/** A segment waits this long for a quality. */
const mostLateMs = 1500;
/** Between two kills: child and segments have recovered. */
const betweenMs = 8000;

/**
 * Publishes the clip in real time, again and again, and kills ffmpeg: how long it takes until each quality begins a group of pictures in time for
 * its segment, and the longest pause between two frames of the stream itself.
 */
async function kills(items: readonly Demuxed[]): Promise<void> {
  const hub = new Hub({ returnMs: 60_000 });
  const ladders = new Ladders({ hub, log: createLog('bench', 'error') });
  ladders.setPlans([plan]);
  const info = { id: 'x', kind: 'rtmp-publish', address: '', place, param: '', tcUrl: '', pageUrl: '' } as const;
  const stream = hub.open(place);
  const publication = stream?.publish(Clients.entry({ ...info, connectedAt: new Date() }, () => undefined));
  if (!stream || !publication) throw new Error('no stream');
  const sentAt = new Map<number, number>();
  const backAt = new Map<string, number>();
  const seen = new Set<string>();
  let [killedAt, killedMs, lastAt, longestMs] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  const packager = (onFrame: (frame: MediaFrame) => void) => ({
    onConfig: () => undefined,
    onFrame,
    onDiscontinuity: () => undefined,
    close: () => undefined,
  });
  stream.attach(
    packager(({ dtsMs }) => {
      const now = performance.now();
      if (lastAt > 0) longestMs = Math.max(longestMs, now - lastAt);
      lastAt = now;
      sentAt.set(Math.round(dtsMs), now);
    }),
  );
  let isOver = false;
  const publish = async () => {
    const began = performance.now();
    const frames = items.flatMap((item) => (item.type === 'frame' ? [item.frame] : []));
    for (const item of items) if (item.type === 'config') publication.config(item.config);
    const firstMs = frames[0]?.dtsMs ?? 0;
    for (let startMs = 0; !isOver; startMs += seconds * 1000)
      for (const frame of frames) {
        const [dtsMs, ptsMs] = [frame.dtsMs - firstMs + startMs, frame.ptsMs - firstMs + startMs];
        await sleep(Math.max(0, dtsMs - (performance.now() - began)));
        if (isOver) return;
        publication.frame({ ...frame, dtsMs, ptsMs });
        for (const quality of stream.qualities.all) {
          if (seen.has(quality.name)) continue;
          seen.add(quality.name);
          quality.attach(
            packager((made) => {
              const now = performance.now();
              const isNew = made.isKeyframe && made.dtsMs > killedMs;
              const isInTime = now - (sentAt.get(Math.round(made.dtsMs)) ?? 0) < mostLateMs;
              if (isNew && isInTime && now > killedAt && !backAt.has(quality.name)) backAt.set(quality.name, now);
            }),
          );
        }
      }
  };
  const published = publish();
  await sleep(betweenMs);
  for (let round = 0; round < rounds; round++) {
    const { pid = 0 } = ladders.statuses()[0] ?? {};
    backAt.clear();
    longestMs = 0;
    killedMs = Math.max(...sentAt.keys());
    killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    while (backAt.size < plan.rungs.length && performance.now() - killedAt < 60_000) await sleep(20);
    const backMs = [...backAt.values()].map((at) => Math.round(at - killedAt));
    result.add({ round, backMs, longestPauseOfStreamMs: Math.round(longestMs) });
    // Later in each group than the time before.
    await sleep(betweenMs + round * 190);
  }
  isOver = true;
  await published;
  hub.close();
  await ladders.close();
}

const result = new BenchResult(isKills ? 'ladder-kills' : 'ladder');
try {
  const items = record();
  if (isKills) await kills(items);
  for (let round = 0; round < (isKills ? 0 : rounds); round++) {
    const bare = await play(items, []);
    const [ffmpeg, { child, own, isBehind }] = await Promise.all([plain(), play(items, [plan])]);
    const engine = Math.round((own - bare.own) * 10) / 10;
    const weir = Math.round((child + engine) * 10) / 10;
    result.add({ round, ffmpeg, weir, child, engine, isBehind, ratio: Math.round((weir / ffmpeg) * 100) / 100 });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
