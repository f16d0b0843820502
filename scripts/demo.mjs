// npm run demo: a separate Weir with sample streams, viewers and history, where nothing can be changed. All of it is removed at the end.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureConsole, ensurePlanes, isNodeNewEnough, setUp } from './setup.mjs';

const launcher = join(import.meta.dirname, '../apps/weir/dist/main.cjs');
const recordedSeconds = 40;

/** Viewers of a stream, who come and go. */
class Viewers {
  #address;
  #most;
  #open = [];

  constructor(address, most) {
    this.#address = address;
    this.#most = most;
  }

  async run(signal) {
    while (!signal.aborted) {
      const wanted = 1 + Math.round((this.#most - 1) * (0.6 + 0.4 * Math.sin(Date.now() / 40_000 + this.#most)));
      this.#open = this.#open.filter(({ closed }) => !closed);
      if (this.#open.length < wanted) this.#open.push(this.#watch());
      else if (this.#open.length > wanted) this.#open.shift()?.destroy();
      await sleep(700 + Math.random() * 1500, undefined, { signal }).catch(() => undefined);
    }
    for (const viewer of this.#open) viewer.destroy();
  }

  #watch() {
    return get(this.#address, { agent: false }, (answer) => answer.resume().on('error', () => undefined)).on(
      'error',
      () => undefined,
    );
  }
}

async function main() {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { Child } = await import('../packages/process/src/child/child.ts');
  const { demoPassword } = await import('../packages/contract/src/demo.ts');
  const { sceneArgs, scenes } = await import('./demo-scenes.mjs');
  const { writeHistory } = await import('./demo-history.mjs');

  const folder = mkdtempSync(join(tmpdir(), 'weir-demo-'));
  const key = randomBytes(16).toString('hex');
  const own = { WEIR_DATA: join(folder, 'data'), WEIR_STORE: '', WEIR_NODE_URL: '', WEIR_FILES: '', WEIR_ENGINE: '' };
  const environment = { ...process.env, ...own, WEIR_DEMO: key, MGMT_PASSWORD: demoPassword, SRS_PLATFORM_SECRET: '' };
  const config = parseConfig(environment, { cwd: folder, version: '' });
  const stopped = new AbortController();
  const { signal } = stopped;
  const work = [];
  await writeHistory(config, scenes);

  // The launcher ends when this process does, however it ends.
  const starter = `--started-by=${process.pid}:${process.ppid}`;
  const weir = spawn(process.execPath, ['--jitless', launcher, starter], { stdio: 'inherit', env: environment });
  const ended = new Promise((resolve) => weir.on('exit', resolve));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      stopped.abort();
      weir.kill('SIGTERM');
    });
  }
  void ended.then(() => stopped.abort());

  const host = ['', '0.0.0.0', '::'].includes(config.http.host ?? '') ? '127.0.0.1' : config.http.host;
  const web = `http://${host}:${config.http.port}`;
  const call = async (path, body = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${web}/terraform/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    const { code, data } = await answer.json();
    if (code !== 0) throw new Error(`${path}: ${data?.message}`);
    return data;
  };
  const ffmpeg = (args, niceness) => {
    const child = new Child({ command: 'ffmpeg', args, niceness, softStop: 'signal' });
    signal.addEventListener('abort', () => void child.stop(), { once: true });
    return child.ended;
  };
  const publish = async (file, name) => {
    const address = `rtmp://127.0.0.1:${config.rtmp.port}/live/${name}?secret=${key}`;
    while (!signal.aborted) {
      await ffmpeg(['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'flv', address], 0);
      await sleep(1000, undefined, { signal }).catch(() => undefined);
    }
  };

  try {
    while (
      !(await call('mgmt/status').then(
        () => true,
        () => false,
      ))
    )
      await sleep(300, undefined, { signal });
    await call('mgmt/beian/update', { beian: 'title', text: 'Weir demo' });
    await call('hooks/record/globs', { globs: [`/live/${scenes[0].name}`] });
    await call('hooks/record/apply', { all: true });
    console.log('\nThe demo is starting. Making sample streams…');
    for (const scene of scenes) {
      const file = join(folder, `${scene.name}.mp4`);
      const { code, reason } = await ffmpeg(sceneArgs(scene, file), 10);
      if (signal.aborted) break;
      if (code !== 0) throw new Error(`ffmpeg could not make ${scene.name}: ${reason}`);
      work.push(publish(file, scene.name));
      work.push(new Viewers(`${web}/live/${scene.name}.flv`, scene.viewers).run(signal));
      console.log(`  ${web}/live/${scene.name}.flv`);
    }
    console.log(`\nThe demo is ready: ${web}/mgmt/?adminSystemBadass  password ${demoPassword}\n`);
    await sleep(recordedSeconds * 1000, undefined, { signal });
    // From here on the recording is in the list, and nothing more fills the disk.
    const files = await call('hooks/record/files');
    await call('hooks/record/apply', { all: false });
    for (const { uuid, progress } of files) if (progress) await call('hooks/record/end', { uuid });
  } catch (error) {
    if (!signal.aborted) {
      console.error(error.message);
      process.exitCode = 1;
      weir.kill('SIGTERM');
    }
  }
  await ended;
  await Promise.all(work);
  rmSync(folder, { recursive: true, force: true });
}

setUp('start');
if (isNodeNewEnough()) {
  ensureConsole();
  ensurePlanes();
  await main();
}
