import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MinuteFiles } from '../apps/server/src/features/measurements/minute-files.ts';
import { Timeline } from '../apps/server/src/timeline-store/timeline.ts';
import { createLog } from '../packages/plane/src/log/log.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMinutes = 1440;

/** A day of statistics and a few broadcasts of the days before, as a server has them that is in use. */
export async function writeHistory(config, scenes) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  await writeMinutes(config, scenes, nowMs);
  writeBroadcasts(config, scenes, nowMs);
}

/** Between 0 and 1, most in the evening, with some noise that is the same at every start. */
function activity(atMs, phase) {
  const hour = (atMs / hourMs) % 24;
  const wave = 0.5 + 0.5 * Math.sin(((hour - 14 + phase) / 24) * 2 * Math.PI);
  const noise = Math.abs(Math.sin(atMs / 137_000 + phase) * Math.cos(atMs / 61_000));
  return Math.max(0.05, Math.min(1, 0.75 * wave + 0.25 * noise));
}

async function writeMinutes({ dataDir }, scenes, nowMs) {
  const files = new MinuteFiles({ directory: join(dataDir, 'measurements') });
  const at = Array.from({ length: dayMinutes - 2 }, (_, index) => nowMs - (dayMinutes - 2 - index) * minuteMs);
  const column = (value) => at.map((atMs) => value(atMs));
  const viewersOf =
    ({ viewers }, phase) =>
    (atMs) =>
      Math.round(viewers * activity(atMs, phase));
  for (const [phase, scene] of scenes.entries()) {
    const viewers = viewersOf(scene, phase);
    const columns = {
      inKbps: column((atMs) => 96 + scene.kbps * (0.93 + 0.07 * activity(atMs, 3))),
      outKbps: column((atMs) => viewers(atMs) * scene.kbps),
      keyframeMs: column(() => 2000),
      pace: column(() => 1),
      audioKbps: column(() => 96),
      fps: column(() => (scene.size === '1280x720' ? 30 : 25)),
      flv: column((atMs) => Math.ceil(viewers(atMs) * 0.6)),
      hls: column((atMs) => Math.floor(viewers(atMs) * 0.3)),
      rtc: column((atMs) => Math.floor(viewers(atMs) * 0.1)),
    };
    await files.appendStream({ vhost: '__defaultVhost__', app: 'live', stream: scene.name }, { at, columns });
  }
  const all = (atMs) => scenes.reduce((sum, scene, phase) => sum + viewersOf(scene, phase)(atMs), 0);
  await files.appendServer({
    at,
    columns: {
      inKbps: column(() => scenes.reduce((sum, { kbps }) => sum + kbps + 96, 0)),
      outKbps: column((atMs) => all(atMs) * 1800),
      streams: column(() => scenes.length),
      flv: column((atMs) => Math.ceil(all(atMs) * 0.6)),
      hls: column((atMs) => Math.floor(all(atMs) * 0.3)),
      rtc: column((atMs) => Math.floor(all(atMs) * 0.1)),
      cpu: column((atMs) => 0.06 + 0.12 * activity(atMs, 0)),
      engineCpu: column((atMs) => 0.05 + 0.2 * activity(atMs, 0)),
      memory: column((atMs) => 0.31 + 0.03 * activity(atMs, 1)),
    },
  });
}

/** By the same class that writes them in a server, on a clock that is in the past. */
function writeBroadcasts({ dataDir }, scenes, nowMs) {
  const log = createLog('demo', 'error');
  log.level = 'silent';
  let atMs = nowMs;
  const timeline = new Timeline({
    place: { file: join(dataDir, 'timeline.db'), isShared: false },
    hidden: { hide: (text) => text },
    log,
    clock: { dateMs: () => atMs },
  });
  for (let day = 6; day >= 1; day--) {
    for (const [index, { name, viewers }] of scenes.entries()) {
      if ((day + index) % 3 === 0) continue;
      const place = { vhost: '__defaultVhost__', app: 'live', stream: name };
      const client = `demo-${day}-${index}`;
      const beganMs = nowMs - day * 24 * hourMs - index * 2 * hourMs;
      const add = (minutes, what, facts = {}, numbers = {}) => {
        atMs = beganMs + minutes * minuteMs;
        timeline.note(place, { what, facts, numbers });
      };
      atMs = beganMs;
      timeline.begin(place, client, {
        what: 'publisher-connected',
        facts: { protocol: 'rtmp', address: '192.0.2.10' },
      });
      add(0.1, 'recording-began');
      add(4, 'viewers-reached', { viewers: '5' });
      if (index === 0) add(17, 'verdict-changed', { verdict: 'ok', issues: 'bitrate-unstable' });
      if (index === 0) add(19, 'verdict-changed', { verdict: 'good', issues: '' });
      if (viewers > 10) add(31, 'viewers-reached', { viewers: '10' });
      const [broadcast] = timeline.running();
      timeline.change((file) => {
        file.peak(broadcast.id, viewers + day);
        file.judged(broadcast.id, 'good', 56 * minuteMs);
        if (index === 0) file.judged(broadcast.id, 'ok', 2 * minuteMs);
      });
      add(58, 'recording-ended');
      atMs = beganMs + 58 * minuteMs;
      timeline.end(place, client, { what: 'publisher-left', facts: { reason: '' } });
    }
  }
  timeline.close();
}
