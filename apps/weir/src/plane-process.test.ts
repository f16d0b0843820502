import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Boot } from '@weir/plane';
import { expect, it, onTestFinished } from 'vitest';
import { LogWriter } from './log-writer.ts';
import { PlaneProcess } from './plane-process.ts';

/** Control server that runs the given code. */
function planeThat(does: string): PlaneProcess {
  const directory = mkdtempSync(join(tmpdir(), 'weir-plane-'));
  const entry = join(directory, 'main.mjs');
  writeFileSync(entry, `process.on('message', () => { ${does} });`);
  const plane = new PlaneProcess({
    name: 'server',
    entry,
    boot: {} as Boot,
    env: { PATH: process.env.PATH },
    log: new LogWriter(new PassThrough(), false),
    onChange: () => undefined,
    onRestartRequested: () => undefined,
    readyWithinMs: 4000,
  });
  onTestFinished(async () => {
    await plane.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return plane;
}

it('reports a plane that was not ready in time and what it waited for', async () => {
  const plane = planeThat("process.send({ type: 'waits', for: 'the database' });");
  await expect(plane.start()).rejects.toThrow(
    'the control server was not ready within 4 s; it was waiting for the database',
  );
});

it('reports how a plane exited before it was ready, preferably by its own reason', async () => {
  await expect(planeThat('process.exit(7)').start()).rejects.toThrow(
    'the control server exited (code 7) before it was ready; it was waiting for its program to load',
  );
  const failing = planeThat("process.send({ type: 'failed', message: 'no room' }, () => process.exit(1));");
  await expect(failing.start()).rejects.toThrow('no room');
});

const serves = "process.send({ type: 'ready', facts: { httpPort: 1 } });";

it('restarts a killed plane within seconds, also after eight kills in a row', async () => {
  const plane = planeThat(serves);
  expect(await plane.start()).toEqual({ httpPort: 1 });
  for (let kills = 1; kills <= 8; kills++) {
    const { pid } = plane.state;
    process.kill(pid, 'SIGKILL');
    const isBack = () => plane.state.isReady && plane.state.pid !== pid;
    await expect.poll(isBack, { interval: 20 }).toBe(true);
    expect(plane.state).toMatchObject({
      restarts: kills,
      lastExit: { wanted: false, signal: 'SIGKILL', reason: '' },
    });
  }
}, 60_000);

it('restarts a plane at once on request, and records that it was requested', async () => {
  const plane = planeThat(serves);
  await plane.start();
  const { pid } = plane.state;
  await Promise.all([plane.restart(), plane.restart()]);
  await expect.poll(() => plane.state.isReady).toBe(true);
  expect(plane.state.pid).not.toBe(pid);
  expect(plane.state).toMatchObject({ restarts: 1, lastExit: { wanted: true, reason: '' } });
  await plane.stop();
  expect(plane.state).toMatchObject({ pid: 0, isReady: false });
});
