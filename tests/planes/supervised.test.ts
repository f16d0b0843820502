import { readdirSync, readFileSync } from 'node:fs';
import { transcodeDefaults } from '@weir/contract';
import { createLog } from '@weir/plane';
import { type ProcessSpec, Supervisor } from '@weir/process';
import { describe, expect, it } from 'vitest';
import { inputs, Publisher } from '../media/ffmpeg.fixture.ts';
import { Live } from '../media/live.fixture.ts';
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

describe('supervised programs', () => {
  it('F07: run once each after the control plane was killed, and leave none behind', async () => {
    const live = await Live.start();
    const publisher = new Publisher(live.publishUrl('show'), inputs.both);
    const output = `supervised-${process.pid}-trans`;
    const target = { server: live.rtmp('').replace(/\/$/, ''), secret: output };
    const config = { ...transcodeDefaults, ...target, all: true, vpreset: 'ultrafast', vbitrate: 200 };
    await live.post('/terraform/v1/ffmpeg/transcode/apply', config);
    const isRunning = async () => {
      const { status, data } = await live.post('/terraform/v1/ffmpeg/transcode/task');
      return status === 200 && data.process.state === 'live';
    };
    await until(isRunning, 'transcoding', 30_000);
    const [before] = programsWith(output);
    const server = live.weir.pidOf('server');
    process.kill(server, 'SIGKILL');
    await until(() => !isAlive(server) && before !== undefined && !isAlive(before), 'both gone', 5000);
    await until(
      async () => (await live.post('/terraform/v1/mgmt/check').catch(() => undefined))?.status === 200,
      'the control plane again',
      20_000,
    );
    await until(isRunning, 'transcoding again', 30_000);
    const after = programsWith(output);
    expect(after).toHaveLength(1);
    expect(after).not.toContain(before);
    await publisher.stop();
    await live.close();
    await until(() => programsWith(output).length === 0, 'none left', 5000);
  }, 120_000);

  it('take no time while one of eight fails again and again', async () => {
    const log = createLog('test', 'error');
    log.level = 'silent';
    const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=32x32:rate=1', '-f', 'null', '-'];
    const well: ProcessSpec[] = Array.from({ length: 7 }, (_, n) => ({ key: `t/${n}`, args: [...picture] }));
    const broken = { key: 't/broken', args: ['-i', 'rtmp://127.0.0.1:1/live/none', '-f', 'null', '-'] };
    const supervisor = new Supervisor({ log });
    const scope = supervisor.scope('t', async () => [...well, broken]);
    const failures = () => scope.observe('t/broken')?.failures ?? 0;
    await until(() => well.every(({ key }) => scope.observe(key)?.phase === 'running'), 'seven running', 30_000);
    await until(() => failures() > 0, 'a failure', 20_000);
    const [from, cpu, starts] = [performance.now(), cpuMs(), scope.observe('t/broken')?.starts ?? 0];
    await until(() => failures() >= 3, 'three failures', 40_000);
    const elapsedMs = performance.now() - from;
    const tries = (scope.observe('t/broken')?.starts ?? 0) - starts;
    // One try costs the start of a program; between two there is nothing.
    expect((cpuMs() - cpu) / elapsedMs).toBeLessThan(0.1);
    expect(elapsedMs / tries).toBeGreaterThan(2000);
    expect(well.map(({ key }) => scope.observe(key)?.starts)).toEqual(well.map(() => 1));
    const pids = well.map(({ key }) => scope.observe(key)?.pid ?? 0);
    await supervisor.close();
    expect(pids.filter(isAlive)).toEqual([]);
  }, 120_000);
});

/** Of this process and of all its children that have ended. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const ticksPerSecond = 100;
  return (user + system) / 1000 + (1000 * (Number(fields[13]) + Number(fields[14]))) / ticksPerSecond;
}
