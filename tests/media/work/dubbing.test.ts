import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DubbingTask } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { localModels } from '../../local-ai.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';

const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'weir-film-'));
const api = (name: string) => `/terraform/v1/dubbing/${name}`;
const seconds = 56;
const rate = 16_000;

const sentences = [
  'Welcome to a short film about the river.',
  'It begins in the mountains, where the snow never melts.',
  'Every spring the water rises and the fields are flooded.',
  'The old mill was closed more than forty years ago.',
  'In winter the road is closed because of the snow.',
];
/** Not at regular times: an average would hide what is late. */
const startOf = (n: number) => 3 + n * 11 + (n % 3) * 0.37;

/** Onsets of audio after silence, in seconds. */
function onsets(pcm: Buffer): number[] {
  const frame = rate / 100;
  const found: number[] = [];
  let lastLoud = -1;
  for (let at = 0; at + frame * 2 <= pcm.length; at += frame * 2) {
    let sum = 0;
    for (let n = 0; n < frame; n++) sum += pcm.readInt16LE(at + n * 2) ** 2;
    if (Math.sqrt(sum / frame) < 250) continue;
    const second = at / 2 / rate;
    if (second - lastLoud > 1.5 || lastLoud < 0) found.push(second);
    lastLoud = second;
  }
  return found;
}

async function pcmOf(args: readonly string[]): Promise<Buffer> {
  const file = join(directory, 'sound.pcm');
  await run('ffmpeg', ['-v', 'error', '-y', ...args, '-ac', '1', '-ar', String(rate), '-f', 's16le', file]);
  return readFile(file);
}

/** Speech at known times over a test pattern; returns the moments at which somebody begins to speak. */
async function makeFilm(path: string): Promise<number[]> {
  const track = Buffer.alloc(seconds * rate * 2);
  for (const [n, sentence] of sentences.entries()) {
    const said = await pcmOf(['-f', 'lavfi', '-i', `flite=text='${sentence}':voice=slt`]);
    said.copy(track, Math.round(startOf(n) * rate) * 2);
  }
  const sound = join(directory, 'track.pcm');
  writeFileSync(sound, track);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${seconds}`];
  const input = ['-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', sound];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest'];
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...input, ...codecs, path]);
  return onsets(track);
}

let live: Live;
let provider: AiProvider;
beforeAll(async () => {
  const models = await localModels();
  [live, provider] = await Promise.all([Live.start({ WEIR_MODELS: models }), AiProvider.start()]);
});
afterAll(async () => {
  await Promise.all([live?.close(), provider?.close()]);
  rmSync(directory, { recursive: true });
});

it('a film of a minute is dubbed with built-in speech and voice, through kill -9 at each step', async () => {
  const film = join(directory, 'film.mp4');
  const spoken = await makeFilm(film);
  expect(spoken).toHaveLength(sentences.length);
  // Translation in words that the built-in voice can say; some of it must be shortened.
  const tooMuch = ' and there is much more to say about it than fits into this place';
  provider.reply = (message) => {
    const line = message.split('\n').at(-1) ?? '';
    if (!message.includes('Translate:')) return line.replace(tooMuch, '');
    return `So ${line}${line.includes('snow') ? tooMuch : ''}`;
  };
  const form = new FormData();
  form.append('film.mp4', new Blob([await readFile(film)]), 'film.mp4');
  const { headers } = live;
  const sent = await fetch(`${live.weir.origin}/terraform/v1/ffmpeg/vlive/upload/film.mp4`, {
    method: 'POST',
    body: form,
    headers,
  });
  const { data } = (await sent.json()) as { data: { uuid: string; target: string } };
  const { files } = (await live.post(api('source'), { files: [{ ...data, name: 'film.mp4', type: 'upload' }] })).data;
  const { uuid } = (await live.post(api('create'), { title: 'River', files })).data;
  const chat = { aiSecretKey: 'sk-0123456789abcdef', aiBaseURL: provider.baseURL };
  await live.post(api('update'), { uuid, asr: { aiAsrLanguage: 'en' }, trans: chat, rephrase: chat });
  await live.post(api('task-start'), { uuid });
  // At once: its sound is being taken out.
  await live.weir.crashServer();

  const task = async (): Promise<DubbingTask | undefined> =>
    (await live.post(api('task-query'), { uuid, task: uuid }).catch(() => undefined))?.data;
  for (const step of ['asr', 'translating', 'tts', 'rephrasing']) {
    if (step === 'translating') provider.mood = 'slow';
    await until(async () => (await task())?.status === step, `it is at ${step}`, 120_000);
    await live.weir.crashServer();
  }
  await until(async () => (await task())?.status === 'done', 'the film is dubbed', 240_000);
  const done = await task();
  const groups = done?.asr_response?.groups ?? [];
  expect(done?.missing).toEqual([]);
  // Each sentence once, whatever was cut off.
  expect(groups).toHaveLength(sentences.length);
  expect(
    groups.every(({ translated, fit }) => translated.startsWith('So ') && (fit === 'fits' || fit === 'pause')),
  ).toBe(true);
  const shortened = groups.filter(({ translated }) => translated.endsWith(tooMuch));
  expect(shortened.length).toBeGreaterThan(0);
  for (const { translated, rephrased } of shortened) expect(rephrased).toBe(translated.replace(tooMuch, ''));
  for (const [n, group] of groups.entries()) expect(Math.abs(group.start - (spoken[n] ?? 0))).toBeLessThan(0.1);

  const made = await fetch(live.weir.origin + api('export'), {
    method: 'POST',
    headers,
    body: JSON.stringify({ uuid, task: uuid }),
  });
  expect([made.status, made.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  const result = join(directory, 'dubbed.mp4');
  writeFileSync(result, Buffer.from(await made.arrayBuffer()));
  const heard = onsets(await pcmOf(['-i', result, '-map', '0:a:0']));
  expect(heard).toHaveLength(sentences.length);
  const offsets = heard.map((second, n) => Math.abs(second - (spoken[n] ?? 0)));
  expect(Math.max(...offsets)).toBeLessThan(0.1);
  const probe = [
    '-v',
    'error',
    '-count_packets',
    '-show_entries',
    'stream=codec_type,nb_read_packets,duration',
    '-of',
    'json',
  ];
  const { streams } = JSON.parse((await run('ffprobe', [...probe, result])).stdout);
  expect(streams[0]).toMatchObject({ codec_type: 'video', nb_read_packets: String(seconds * 25) });
  expect(Math.abs(Number(streams[1].duration) - seconds)).toBeLessThan(0.04);
});
