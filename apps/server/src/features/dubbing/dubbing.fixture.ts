import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DubbingProject, DubbingTask } from '@weir/contract';
import { afterAll } from 'vitest';
import type { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { upload } from '../../media-sources/sources.fixture.ts';

let directory: string | undefined;
/** Test files that share a process share this, one after the other. */
function scratch(name: string): string {
  directory ??= mkdtempSync(join(tmpdir(), 'weir-dubbing-'));
  return join(directory, name);
}
afterAll(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true });
  directory = undefined;
});

/** From when to when somebody speaks, in seconds. */
type Speech = readonly [number, number];

/** A film with a sound wherever somebody speaks in it, over what is always heard, and a picture of 25 frames a second. */
export async function makeSpokenFilm(
  name: string,
  seconds: number,
  speeches: readonly Speech[],
  always = '0',
): Promise<string> {
  const path = scratch(name);
  const loud = speeches.map(([from, to]) => `between(t,${from},${to})`).join('+');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25'];
  const sound = ['-f', 'lavfi', '-i', `aevalsrc='0.3*sin(2*PI*300*t)*(${loud})+${always}':s=16000`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await copyFile(madeOnce([...picture, ...sound, '-t', String(seconds), ...codecs], 'mp4'), path);
  return path;
}

type ReadyApp = Awaited<ReturnType<typeof createReadyApp>>;

/** A server with that provider. */
export async function openStudio(provider: AiProvider, options: Parameters<typeof createReadyApp>[0] = {}) {
  const app = await createReadyApp(options);
  await app.call('mgmt/openai/update', { aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: provider.baseURL });
  return { ...app, ...callsOf(app) };
}

function callsOf(app: ReadyApp) {
  const call = (path: string, body: object = {}) => app.call(`dubbing/${path}`, body);
  const task = async (uuid: string): Promise<DubbingTask> => (await call('task-query', { uuid, task: uuid })).data;
  return {
    dub: call,
    task,
    async create(film: string, change: object = {}): Promise<DubbingProject> {
      const prepared = (await upload(app, 'film.mp4', readFileSync(film))).data;
      const { files } = (await call('source', { files: [{ ...prepared, name: 'film.mp4', type: 'upload' }] })).data;
      const { uuid } = (await call('create', { title: 'My Dubbing Video', files })).data;
      return (await call('update', { uuid, ...change })).data;
    },
    /** Until it is over, one way or the other. */
    async settled(uuid: string, isSettled = ({ status }: DubbingTask) => ['done', 'failed'].includes(status)) {
      for (;;) {
        const now = await task(uuid);
        if (isSettled(now)) return now;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    /** The bytes of the film that is made. */
    async exported(uuid: string): Promise<{ status: number; path: string; message: string }> {
      const response = await app.inject({
        method: 'POST',
        url: '/terraform/v1/dubbing/export',
        payload: { uuid, task: uuid },
        headers: { authorization: 'Bearer srs-v2-00000000000000000000000000000000' },
      });
      const path = scratch(`export-${uuid}-${Date.now()}.mp4`);
      if (response.statusCode !== 200)
        return { status: response.statusCode, path, message: response.json().data.message };
      const { writeFile } = await import('node:fs/promises');
      await writeFile(path, response.rawPayload);
      return { status: 200, path, message: '' };
    },
  };
}
