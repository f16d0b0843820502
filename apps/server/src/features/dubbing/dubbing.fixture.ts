import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DubbingProject, DubbingTask } from '@weir/contract';
import { afterAll } from 'vitest';
import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { wavOf } from '../../ai/wav.ts';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { upload } from '../../sources/sources.fixture.ts';

const run = promisify(execFile);
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

/** A film with a sound wherever somebody speaks in it, and a picture of 25 frames a second. */
export async function makeSpokenFilm(name: string, seconds: number, speeches: readonly Speech[]): Promise<string> {
  const path = scratch(name);
  const loud = speeches.map(([from, to]) => `between(t,${from},${to})`).join('+');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25'];
  const sound = ['-f', 'lavfi', '-i', `aevalsrc='0.3*sin(2*PI*300*t)*(${loud})':s=16000`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, '-t', String(seconds), ...codecs, path]);
  return path;
}

/** Where it is loud in PCM of this rate: from when to when, in seconds. */
export function loudIn(pcm: Buffer, rate = 16_000): [number, number][] {
  const frame = rate / 50;
  const found: [number, number][] = [];
  for (let at = 0; at + frame * 2 <= pcm.length; at += frame * 2) {
    let peak = 0;
    for (let n = 0; n < frame; n++) peak = Math.max(peak, Math.abs(pcm.readInt16LE(at + n * 2)));
    const second = at / 2 / rate;
    const last = found.at(-1);
    if (peak < 1500) continue;
    if (last && second - last[1] < 0.05) last[1] = second + 0.02;
    else found.push([second, second + 0.02]);
  }
  return found;
}

/**
 * A provider that understands such films: it tells each sound as a sentence, a little wrong in time as recognisers are, translates by a
 * prefix, and says a text in a sound as long as the text, with silence around it.
 */
export async function startInterpreter(): Promise<AiProvider> {
  const provider = await AiProvider.start();
  provider.hearsIn = (pcm) =>
    loudIn(pcm).map(([start, end], n) => ({
      start: Math.max(0, start - 0.15),
      end,
      text: `Sentence ${n + 1} is said.`,
    }));
  provider.reply = (message) => `fr ${message.split('\n').at(-1) ?? ''}`;
  provider.speaks = (text) => tone(text.length * 0.05);
  return provider;
}

/** As providers speak: 0.2 s of nothing, the voice, 0.3 s of nothing. */
export function tone(seconds: number): Buffer {
  const rate = 16_000;
  const pcm = Buffer.alloc(Math.round((seconds + 0.5) * rate) * 2);
  const from = 0.2 * rate;
  for (let n = 0; n < seconds * rate; n++) pcm.writeInt16LE(Math.round(9000 * Math.sin(n * 0.2)), (from + n) * 2);
  return Buffer.from(wavOf(pcm));
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
        ...{ method: 'POST', url: '/terraform/v1/dubbing/export', payload: { uuid, task: uuid } },
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

/** The sound of a film as PCM of 16 kHz. */
export async function soundOf(path: string): Promise<Buffer> {
  const pcm = `${path}.pcm`;
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    path,
    '-map',
    '0:a:0',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    's16le',
    pcm,
  ]);
  return readFileSync(pcm);
}

/** What ffprobe says of its streams. */
export async function probeFilm(path: string): Promise<{ streams: Record<string, string>[]; bytes: number }> {
  const args = ['-v', 'error', '-count_packets', '-show_streams', '-of', 'json', path];
  const { stdout } = await run('ffprobe', args);
  return { streams: JSON.parse(stdout).streams, bytes: statSync(path).size };
}
