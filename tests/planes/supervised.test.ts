import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { transcodeDefaults } from '@weir/contract';
import { createLog } from '@weir/plane';
import { type ProcessSpec, Supervisor } from '@weir/process';
import { describe, expect, it } from 'vitest';
import { makeFilm } from '../../apps/server/src/media-sources/media.fixture.ts';
import { inputs, Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { isAlive, until } from '../weir.fixture.ts';

/** Programs of ffmpeg's in the process table that have a text among their arguments. */
function programsWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return args[0]?.endsWith('ffmpeg') && args.some((arg) => arg.includes(text)) && isAlive(pid);
      } catch {
        return false;
      }
    });
}

const slotKinds = ['forward', 'vlive', 'camera'] as const;

/** Starts one output of each kind, back to the same server. */
async function startAllFour(live: Live, output: (kind: string) => string): Promise<void> {
  const server = live.rtmp('').replace(/\/$/, '');
  const call = async (path: string, body: object) => {
    const answer = await live.post(`/terraform/v1/ffmpeg/${path}`, body);
    expect([path, answer.code]).toEqual([path, 0]);
    return answer.data;
  };
  const config = { ...transcodeDefaults, all: true, stream: 'show', vpreset: 'ultrafast', vbitrate: 200 };
  await call('transcode/apply', { ...config, server, secret: output('transcode') });
  const save = (kind: string, more: object) => {
    const secret = `${output(kind)}?secret=${live.secret}`;
    return call(`${kind}/secret`, { action: 'update', platform: 'wx', enabled: true, server, secret, ...more });
  };
  await save('forward', { stream: 'show' });
  await mkdir(join(live.weir.dataDir, 'upload'), { recursive: true });
  await copyFile(await makeFilm({ name: 'film.mp4' }), join(live.weir.dataDir, 'upload/film.mp4'));
  const film = await call('vlive/server', { file: '/data/upload/film.mp4' });
  const camera = await call('camera/stream-url', { url: live.rtmp('show') });
  for (const [kind, source] of [
    ['vlive', { ...film, type: 'file' }],
    ['camera', { ...camera, size: 0, type: 'stream' }],
  ] as const) {
    const { files } = await call(`${kind}/source`, { platform: 'wx', files: [source] });
    await save(kind, { files });
  }
}

describe('supervised programs', () => {
  it('F07: of all four kinds run once each after the control plane was killed, and leave none behind', async () => {
    const live = await Live.start();
    const publisher = new Publisher(live.publishUrl('show'), inputs.both);
    await until(() => live.isLive('show'), 'a stream');
    await startAllFour(live, (kind) => `killed-${kind}`);
    // Keys do not stand in the process table, but all four write to the port of this server.
    const programs = () => programsWith(`:${live.weir.rtmpPort}`).filter((pid) => pid !== publisher.process.pid);
    const states = async () => {
      const { data } = await live.post('/terraform/v1/ffmpeg/transcode/task');
      const rows = await Promise.all(slotKinds.map((kind) => live.post(`/terraform/v1/ffmpeg/${kind}/streams`)));
      return [data.process.state, ...rows.map(({ data: [row] }) => row.process.state)];
    };
    const areLive = () =>
      states().then(
        (all) => all.every((state) => state === 'live'),
        () => false,
      );
    await until(areLive, 'all four');
    const before = programs();
    expect(before).toHaveLength(4);
    process.kill(live.weir.pidOf('server'), 'SIGKILL');
    await until(() => !before.some(isAlive), 'all gone with it', 5000);
    await until(areLive, 'all four again');
    expect(programs()).toHaveLength(4);
    await publisher.stop();
    await live.close();
    await until(() => programs().length === 0, 'none left', 5000);
  });

  it('use no CPU time while one of eight fails again and again', async () => {
    const log = createLog('test', 'error');
    log.level = 'silent';
    const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=32x32:rate=1', '-f', 'null', '-'];
    const well: ProcessSpec[] = Array.from({ length: 7 }, (_, n) => ({ key: `t/${n}`, args: [...picture] }));
    const broken = { key: 't/broken', args: ['-i', 'rtmp://127.0.0.1:1/live/none', '-f', 'null', '-'] };
    const supervisor = new Supervisor({ log });
    const scope = supervisor.scope('t', async () => [...well, broken]);
    const failures = () => scope.observe('t/broken')?.failures ?? 0;
    await until(() => well.every(({ key }) => scope.observe(key)?.phase === 'running'), 'seven running');
    await until(() => failures() > 0, 'a failure');
    const [from, cpu, starts] = [performance.now(), cpuMs(), scope.observe('t/broken')?.starts ?? 0];
    await until(() => failures() >= 3, 'three failures');
    const elapsedMs = performance.now() - from;
    const tries = (scope.observe('t/broken')?.starts ?? 0) - starts;
    // An attempt costs the start of a program; between attempts there is no load.
    expect((cpuMs() - cpu) / elapsedMs).toBeLessThan(0.1);
    expect(elapsedMs / tries).toBeGreaterThan(2000);
    expect(well.map(({ key }) => scope.observe(key)?.starts)).toEqual(well.map(() => 1));
    const pids = well.map(({ key }) => scope.observe(key)?.pid ?? 0);
    await supervisor.close();
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

/** CPU time of this process and of all its ended children. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticksPerSecond = 100;
  return (user + system) / 1000 + (1000 * (Number(fields[13]) + Number(fields[14]))) / ticksPerSecond;
}
