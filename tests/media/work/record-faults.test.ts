import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { isAlive, until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { badSteps, FrameViewer } from '../fixtures/frames.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { clipInput, examine, makeClip, makeHeavyClip, Recordings, report } from '../fixtures/record.fixture.ts';

/** Longer by hand: RECORD_KILLS=24, RECORD_STREAMS=4, RECORD_PLANES=server, RECORD_DISK_MB=64. */
const kills = Number(process.env.RECORD_KILLS ?? 2);
const streams = Number(process.env.RECORD_STREAMS ?? 2);
const diskMb = Number(process.env.RECORD_DISK_MB ?? 24);
const planes = (process.env.RECORD_PLANES ?? 'server,engine').split(',') as ('server' | 'engine')[];
const killEveryMs = 5000;

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(env: Record<string, string> = {}): Promise<{ live: Live; recordings: Recordings }> {
  const live = await Live.start(env);
  cleanUps.push(() => live.close());
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  return { live, recordings: new Recordings(live) };
}

/** Publishes until it is told to stop, again and again when it is thrown out, as encoders do. */
function publishForEver(url: string, input: readonly string[]): () => Promise<void> {
  let publisher: Publisher | undefined;
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      publisher = new Publisher(url, input);
      const { process: child } = publisher;
      await new Promise((resolve) => child.once('exit', resolve));
      await sleep(200);
    }
  };
  const running = run();
  return async () => {
    isOver = true;
    await publisher?.stop('SIGKILL');
    await running;
  };
}

describe('kill -9 during a recording', () => {
  it(
    `F07: ${kills} times, of ${planes.join(' and ')} in turn, leaves every announced segment in a file in the end`,
    async () => {
      // An engine that comes back must be where its publishers look for it.
      const [http, rtmp] = [await freePort(), await freePort()];
      const ports = { MGMT_LISTEN: `127.0.0.1:${http}`, WEIR_RTMP_LISTEN: `127.0.0.1:${rtmp}` };
      const { live, recordings } = await start(ports);
      const clip = makeClip(10);
      await recordings.start();
      // The engine leaves segments here before it tells of them: each name that appears is one announced.
      const spool = join(live.weir.dataDir, 'segments');
      mkdirSync(spool, { recursive: true });
      const announced = new Set<string>();
      const watcher = watch(spool, (_event, name) => {
        if (name?.endsWith('.ts')) announced.add(name.slice(-39, -3));
      });
      cleanUps.push(() => watcher.close());
      const names = Array.from({ length: streams }, (_, index) => `kill-${index}`);
      const stops = names.map((name) => publishForEver(live.publishUrl(name), clipInput(clip, 100)));
      cleanUps.push(...stops);
      for (const name of names) await recordings.wait(name, ({ nn }) => nn >= 1, 'recorded');

      for (let kill = 0; kill < kills; kill++) {
        const plane = planes[kill % planes.length] ?? 'server';
        await until(() => live.weir.hasPlane(plane), `${plane} runs`);
        const pid = live.weir.pidOf(plane);
        process.kill(pid, 'SIGKILL');
        await until(() => !isAlive(pid), `${plane} is gone`);
        // Not a wait for something: the time between two faults.
        await sleep(killEveryMs);
      }
      const isWell = async () => {
        const answer = await live.post('/terraform/v1/mgmt/check').catch(() => undefined);
        return answer?.status === 200 && live.weir.hasPlane('engine');
      };
      await until(isWell, 'both planes are back');
      for (const name of names) {
        const before = (await recordings.list(name)).reduce((sum, { nn }) => sum + nn, 0);
        const hasMore = async () => (await recordings.list(name)).reduce((sum, { nn }) => sum + nn, 0) > before;
        await until(hasMore, `${name} is recorded again`);
      }
      for (const stop of stops) await stop();
      // The engine ends the last segment of a stream a moment after its publisher is gone.
      const isQuiet = async () =>
        (await recordings.list()).every(({ update }) => Date.now() - Date.parse(update) > 4000) &&
        readdirSync(spool).length === 0;
      await until(isQuiet, 'everything is taken', 90_000);

      for (const { uuid, progress, state } of await recordings.list())
        if (progress && state === 'recording') await recordings.post('end', { uuid });
      const isFinished = async () => (await recordings.list()).every(({ progress }) => !progress);
      await until(isFinished, 'everything is finished by itself', 120_000);
      const all = await recordings.list();
      const recorded = all.flatMap(({ uuid }) => recordings.log(uuid).map(([tsid = '']) => tsid));
      expect([...announced].filter((id) => !recorded.includes(id))).toEqual([]);
      expect(new Set(recorded).size).toBe(recorded.length);
      expect(all.map(({ state }) => state)).toEqual(all.map(() => 'done'));
      // One recording per stream: neither plane's death ends it.
      expect(all).toHaveLength(streams);
      for (const { uuid, duration, discontinuities, lost } of all) {
        const { video, complaints } = await examine(recordings.file(uuid, 'index.mp4'));
        expect([complaints, lost]).toEqual(['', 0]);
        expect(Math.abs(video.endMs - 1000 * duration)).toBeLessThan(100 * (discontinuities + 1));
      }
      report({
        kills,
        streams,
        announced: announced.size,
        recorded: recorded.length,
        all: all.map(({ duration, nn, discontinuities }) => ({ duration, nn, discontinuities })),
      });
    },
    kills * (killEveryMs + 5000) + 240_000,
  );
});

/** A disk of its own below the data directory. False where the system does not let us: then a quota stands for it. */
function mountSmall(directory: string): boolean {
  mkdirSync(directory, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'weir-test', directory], { stdio: 'pipe' });
  } catch {
    return false;
  }
  cleanUps.push(() => void execFileSync('umount', ['-l', directory]));
  return true;
}

describe('a full disk', () => {
  it('F06: stops recording with an alert and nothing else, and recording continues when the oldest are deleted', async () => {
    const { live, recordings } = await start();
    const [clip, heavy] = [makeClip(10), makeHeavyClip(4, 16)];
    const isMounted = mountSmall(join(live.weir.dataDir, 'record'));
    const rule = isMounted ? {} : { quotaBytes: diskMb * 1024 ** 2 };
    await recordings.post('storage', rule);
    await recordings.start();

    const small = new Publisher(live.publishUrl('small'), clipInput(clip));
    cleanUps.push(() => small.stop('SIGKILL'));
    const first = await recordings.finish(await recordings.wait('small', ({ nn }) => nn >= 2, 'recorded'));
    await small.stop('SIGKILL');
    const digest = () =>
      createHash('sha256')
        .update(readFileSync(recordings.file(first.uuid, 'index.mp4')))
        .digest('hex');
    const before = digest();

    const publisher = new Publisher(live.publishUrl('heavy'), clipInput(heavy, 200));
    cleanUps.push(() => publisher.stop('SIGKILL'));
    await until(() => live.isLive('heavy'), 'live');
    const viewer = FrameViewer.overFlv(live.weir.httpPort, '/live/heavy.flv');
    cleanUps.push(() => viewer.close());
    const storage = async () => (await recordings.post('query')).storage;
    await until(async () => (await storage()).state === 'stopped', 'recording has stopped', 120_000);
    expect(await storage()).toMatchObject({ state: 'stopped', limit: isMounted ? 'floor' : 'quota' });
    const alerts = async (): Promise<string[]> => {
      const { data: status } = await live.post('/terraform/v1/mgmt/status');
      return status.alerts.map(({ kind }: { kind: string }) => kind);
    };
    expect(await alerts()).toContain('record-storage');
    const pictures = viewer.times.video.length;
    await until(() => viewer.times.video.length >= pictures + 50, 'two seconds more');
    const heavyBefore = await recordings.list('heavy');
    expect(heavyBefore.every(({ state }) => state !== 'recording')).toBe(true);
    expect(digest()).toBe(before);
    // The publisher continues, so unrecorded parts are counted as lost.
    const hasLoss = async () => (await recordings.list('heavy')).some(({ lost }) => lost >= 1);
    await until(hasLoss, 'what is lost is counted');
    expect(await alerts()).toContain('record-lost');

    await recordings.post('storage', { ...rule, atLimit: 'delete-oldest' });
    const isRecording = async () =>
      (await recordings.list('heavy')).some(({ state, nn }) => state === 'recording' && nn >= 2);
    await until(isRecording, 'it goes on');
    await until(async () => (await storage()).deleted >= 1, 'the oldest made room');
    expect(await alerts()).not.toContain('record-storage');
    expect((await recordings.list()).map(({ uuid }) => uuid)).not.toContain(first.uuid);
    const { state, usedBytes, freeBytes, deleted } = await storage();
    report({ isMounted, state, usedBytes, freeBytes, deleted, pictures: viewer.times.video.length });

    // 25 pictures a second from the first to now: not one is missing. Where the film begins anew its sound is a little longer.
    expect([viewer.hasEnded, viewer.reason]).toEqual([false, '']);
    expect(badSteps(viewer.times.video, 40, 79)).toEqual([]);
  });
});
