import { execFile } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dubbingDucking } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { makeSpokenFilm, openStudio } from './dubbing.fixture.ts';
import { spokenLanguage } from './exporter.ts';
import { flashesIn, loudnessOf, probeFilm, soundOf } from './film-probe.fixture.ts';
import { loudIn, startInterpreter } from './interpreter.fixture.ts';

const run = promisify(execFile);
let provider: AiProvider;
beforeAll(async () => {
  provider = await startInterpreter();
});
afterAll(() => provider.close());

async function dubbed(film: string, change: object = {}) {
  const studio = await openStudio(provider);
  const { uuid } = await studio.create(film, { asr: { aiAsrLanguage: 'en' }, ...change });
  await studio.dub('task-start', { uuid });
  const task = await studio.settled(uuid);
  return { studio, uuid, groups: task.asr_response?.groups ?? [] };
}

/** Strength of one tone between two times in 16 kHz PCM. */
function strengthOf(hertz: number, pcm: Buffer, from: number, to: number): number {
  let [re, im] = [0, 0];
  for (let n = Math.round(from * 16_000); n < Math.round(to * 16_000); n++) {
    const angle = (2 * Math.PI * hertz * n) / 16_000;
    re += pcm.readInt16LE(n * 2) * Math.cos(angle);
    im += pcm.readInt16LE(n * 2) * Math.sin(angle);
  }
  return Math.hypot(re, im) / (to - from);
}

it.each(['off', 'ducked'] as const)(
  'an export is as loud as the platforms require, with the original %s',
  async (background) => {
    // Far from the voices: an encoder leaves out what nobody would hear beside them.
    const hum = 3000;
    const speeches = [
      [2, 4],
      [6, 8],
    ] as const;
    const film = await makeSpokenFilm(`hum-${background}.mp4`, 14, speeches, `0.03*sin(2*PI*${hum}*t)`);
    const { studio, uuid } = await dubbed(film, { background });
    const { path } = await studio.exported(uuid);
    expect(Math.abs((await loudnessOf(path)) + 16)).toBeLessThan(1);
    const pcm = await soundOf(path);
    const [alone, under] = [strengthOf(hum, pcm, 11, 11.5), strengthOf(hum, pcm, 2.4, 2.9)];
    // Below the voices the film is as quiet as the studio plays it.
    if (background === 'ducked')
      expect(Math.abs(20 * Math.log10(under / alone / dubbingDucking.gain))).toBeLessThan(1.5);
    else expect(alone).toBeLessThan(30);
  },
);

it.each([
  ['the sound', 'a'],
  ['the picture', 'v'],
] as const)('an export keeps video and voices in sync where %s of a film begins late', async (_what, late) => {
  // Half a second behind the other, so that both happen at 5 s of the film.
  const [spokenAt, flashAt] = late === 'a' ? [4.5, 5] : [5, 4.5];
  const spoken = await makeSpokenFilm(`late-${late}.mp4`, 12, [[spokenAt, spokenAt + 2]]);
  const film = spoken.replace('.mp4', '.ts');
  const flash = `drawbox=c=white:t=fill:enable='between(t,${flashAt},${flashAt + 0.3})'`;
  const behind = (stream: string) => (stream === late ? ['-itsoffset', '0.5'] : []);
  const picture = [...behind('v'), '-f', 'lavfi', '-i', `color=black:size=160x90:rate=25:d=12,${flash}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'fast', '-bf', '2', '-c:a', 'aac', '-t', '12', '-f', 'mpegts'];
  const inputs = [...picture, ...behind('a'), '-i', spoken];
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, '-map', '0:v', '-map', '1:a', ...codecs, film]);
  const { studio, uuid, groups } = await dubbed(film, { trans: { aiChatPrompt: 'From English into French, please.' } });
  expect(groups).toHaveLength(1);
  const { path } = await studio.exported(uuid);
  const [seen] = await flashesIn(path);
  const [heard] = loudIn(await soundOf(path)).map(([start]) => start);
  // The onset is measured in steps of 20 ms, on both sides.
  expect(Math.abs((heard ?? 0) - (seen ?? Number.NaN))).toBeLessThan(0.06);
  const { streams } = await probeFilm(path);
  const tracks = streams.filter(({ codec_type: type }) => type === 'subtitle');
  expect(tracks.map(({ tags }) => (tags as unknown as { language: string }).language)).toEqual(['eng', 'fra']);
});

it('an export is not started where the disk has no room for it, and reports how much it needs', async () => {
  const film = await makeSpokenFilm('large.mp4', 8, [[2, 4]]);
  const { studio, uuid } = await dubbed(film);
  const { source_path: path } = (await studio.dub('query', { uuid })).data;
  const file = (await run('find', [studio.dataDir, '-path', `*${path.split('/').at(-1)}`])).stdout.trim();
  // A hole, which needs no room itself.
  await truncate(join(file), 2 ** 43);
  await studio.dub('export-query', { uuid, task: uuid, start: true });
  const state = async () => (await studio.dub('export-query', { uuid, task: uuid })).data;
  await expect.poll(async () => (await state()).state).toBe('failed');
  const { failure, room } = await state();
  expect(failure).toBe('no-space');
  expect(room.needBytes).toBeGreaterThan(2 ** 43);
  expect(room.freeBytes).toBeLessThan(room.needBytes);
});

it.each([
  ['Bonjour', 'Translate the line into French.', 'fra'],
  ['Bonjour', 'From Chinese into German', 'deu'],
  ['Hello', '请把这句台词译成英文。', 'eng'],
  ['你好', 'whatever', 'zho'],
  ['こんにちは世界', 'whatever', 'jpn'],
  ['Hello', 'whatever', 'und'],
])('the language of file "%s" with the prompt "%s" is %s', (text, prompt, language) => {
  expect(spokenLanguage(text, prompt)).toBe(language);
});
