// Measures the share of measuring in the work of the engine: `node bench/measurements.mjs`. It runs in one process
// without a network, so that the other work is as small as possible: frames are placed, cached and written once as FLV,
// as for a single viewer.
import process from 'node:process';

import { client, picture, sound } from '../apps/engine/src/hub/frames.fixture.ts';
import { Hub } from '../apps/engine/src/hub/hub.ts';
import { Sampler } from '../apps/engine/src/hub/samples/sampler.ts';
import { StreamStats } from '../apps/engine/src/hub/stream-stats.ts';
import { flvFormat } from '../apps/engine/src/packagers/flv/flv-format.ts';
import { BenchResult } from './results.ts';

const streams = 100;
const viewers = 2000;
const seconds = 60;
const rounds = 5;

const placeOf = (number) => ({ vhost: '__defaultVhost__', app: 'live', name: `s${number}` });
/** One second of 2.5 Mbit/s with 30 video and 47 audio frames. */
const second = [
  ...Array.from({ length: 30 }, (_, at) => picture((at * 1000) / 30, at === 0, 10_000)),
  ...Array.from({ length: 47 }, (_, at) => sound((at * 1000) / 47, 340)),
].sort((a, b) => a.dtsMs - b.dtsMs);
const at = (frame, ms) => ({ ...frame, dtsMs: frame.dtsMs + ms, ptsMs: frame.ptsMs + ms });

function timed(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** CPU of all frames of all streams through the hub. */
function carry(hub) {
  const publications = Array.from({ length: streams }, (_, number) => {
    const stream = hub.open(placeOf(number));
    const none = () => undefined;
    stream.attach({ onConfig: none, onFrame: flvFormat.frame, onDiscontinuity: none, close: none });
    return stream.publish(client());
  });
  return timed(() => {
    for (let n = 0; n < seconds; n += 1) {
      for (const frame of second) for (const publication of publications) publication.frame(at(frame, n * 1000));
    }
  });
}

/** CPU of counting alone, which is part of the above. */
function count() {
  const all = Array.from({ length: streams }, () => new StreamStats());
  return timed(() => {
    for (let n = 0; n < seconds; n += 1) {
      for (const frame of second) for (const stats of all) stats.count(at(frame, n * 1000));
    }
  });
}

/** CPU of making the frames, which is nobody's. */
function idle() {
  let sum = 0;
  return timed(() => {
    for (let n = 0; n < seconds; n += 1) {
      for (const frame of second) for (let i = 0; i < streams; i += 1) sum += at(frame, n * 1000).dtsMs;
    }
    if (sum < 0) throw new Error('the clock ran back');
  });
}

/** CPU of a minute of samples, of all streams with all their viewers. */
function sample(hub) {
  let nowMs = Date.now();
  const sampler = new Sampler({ hub, machine: () => ({ cpu: 0, engineCpu: 0, memory: 0 }), nowMs: () => nowMs });
  sampler.close();
  return timed(() => {
    for (let n = 0; n < seconds; n += 1) {
      nowMs += 1000;
      sampler.glance();
    }
  });
}

const least = { carry: Number.POSITIVE_INFINITY, count: Number.POSITIVE_INFINITY, alone: Number.POSITIVE_INFINITY };
least.watched = Number.POSITIVE_INFINITY;
for (let round = 0; round < rounds; round += 1) {
  const hub = new Hub({ returnMs: 1000 });
  const spent = idle();
  const keep = (name, ms) => {
    least[name] = Math.min(least[name], ms);
  };
  keep('carry', carry(hub) - spent);
  keep('count', count() - spent);
  keep('alone', sample(hub));
  for (let n = 0; n < viewers; n += 1) hub.clients.add({ ...client('flv-play'), key: `live/s${n % streams}` });
  keep('watched', sample(hub));
  hub.close();
  for (const { info } of [...hub.clients.all()]) hub.clients.delete(info.id);
}
const percent = (part, whole) => Number(((part / whole) * 100).toFixed(1));
const perViewerUs = Math.max(0, ((least.watched - least.alone) * 1000) / seconds / viewers);
// 2.5 Mbit/s at 0.75 s of CPU a gigabyte, as docs/benchmarks.md has it.
const sendUs = (2.5e6 / 8 / 1e9) * 0.75 * 1e6;
new BenchResult('measurements').add({
  streams,
  mediaSeconds: seconds,
  framesCpuMs: Math.round(least.carry),
  samplesPercentOfFrames: percent(least.alone, least.carry),
  countingPercentOfFrames: percent(least.count, least.carry),
  viewerUsPerSecond: Number(perViewerUs.toFixed(2)),
  viewerPercentOfSending: percent(perViewerUs, sendUs),
});
