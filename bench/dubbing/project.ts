import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { promisify } from 'node:util';
import type { DubbingTask } from '@weir/contract';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';

const run = promisify(execFile);
const api = (name: string) => `/terraform/v1/dubbing/${name}`;

interface Film {
  readonly path: string;
  readonly seconds: number;
  readonly rate: number;
  /** When somebody speaks, and when the picture is bright: expressions of `t`. */
  readonly loud: string;
  readonly bright: string;
  /** Number of repetitions. */
  readonly rounds?: number;
}

/** Small pictures and a tone: hours of it are made in seconds. */
export async function makeFilm({ path, seconds, rate, loud, bright, rounds = 1 }: Film): Promise<void> {
  const flash = `drawbox=c=white:t=fill:enable='${bright}'`;
  const picture = ['-f', 'lavfi', '-i', `color=black:size=64x36:rate=${rate}:d=${seconds},${flash}`];
  const sound = ['-f', 'lavfi', '-i', `aevalsrc='0.3*sin(1885*t)*(${loud})':s=16000:d=${seconds}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '250', '-c:a', 'aac', '-b:a', '32k'];
  const once = rounds > 1 ? path.replace('.mp4', '-once.mp4') : path;
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, ...codecs, once]);
  const again = ['-stream_loop', String(rounds - 1), '-i', once, '-c', 'copy'];
  if (rounds > 1) await run('ffmpeg', ['-v', 'error', '-y', ...again, path]);
}

/** Creates a project of a film and starts it. */
export async function startDubbing(live: Live, film: string): Promise<string> {
  const form = new FormData();
  form.append('film.mp4', await openAsBlob(film), 'film.mp4');
  const { headers } = live;
  const address = `${live.weir.origin}/terraform/v1/ffmpeg/vlive/upload/film.mp4`;
  const sent = await fetch(address, { method: 'POST', body: form, headers });
  const { data } = (await sent.json()) as { data: { uuid: string; target: string } };
  const { files } = (await live.post(api('source'), { files: [{ ...data, name: 'film.mp4', type: 'upload' }] })).data;
  const { uuid } = (await live.post(api('create'), { title: 'Bench', files })).data;
  await live.post(api('update'), { uuid, asr: { aiAsrLanguage: 'en' }, rephrase: { aiChatEnabled: false } });
  await live.post(api('task-start'), { uuid });
  return uuid;
}

/** Follows it as the console does, and tells each step. */
export async function dubbed(live: Live, uuid: string): Promise<DubbingTask> {
  let [since, status] = ['', ''];
  const beganMs = performance.now();
  const readTask = async () => {
    const { data } = await live.post(api('task-query'), { uuid, task: uuid, since });
    since = data.cursor;
    if (data.status !== status)
      console.log(`  ${data.status} after ${((performance.now() - beganMs) / 1000).toFixed(0)} s`);
    status = data.status;
    if (data.status === 'failed') throw new Error(`dubbing failed: ${data.message}`);
    return data.status === 'done';
  };
  await until(readTask, 'the film is dubbed', 1_800_000);
  return (await live.post(api('task-query'), { uuid, task: uuid })).data;
}

export async function exported(live: Live, uuid: string): Promise<string> {
  const state = async (start: boolean) => (await live.post(api('export-query'), { uuid, task: uuid, start })).data;
  await state(true);
  await until(
    async () => {
      const now = await state(false);
      if (now.state === 'failed') throw new Error(now.message);
      return now.state === 'ready';
    },
    'the film is made',
    1_800_000,
  );
  const { token } = (await live.post(api('links'), { uuid })).data;
  return `${live.weir.origin}${api('export')}?${new URLSearchParams({ uuid, task: uuid, token })}`;
}
