import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';
import { Publisher } from '../media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../media/fixtures/live.fixture.ts';
import { until } from '../weir.fixture.ts';
import { pcmOf, textOf, wavOf, wordErrors } from './human-speech.fixture.ts';

const spoken = ['demo-abouttotry', 'ss-noservice', 'tt-allbusy', 'demo-nogo', 'queue-periodic-announce'];
const hls = '/terraform/v1/ai/transcript/hls';
const directory = mkdtempSync(join(tmpdir(), 'weir-spoken-'));
const silence = (seconds: number) => Buffer.alloc(seconds * 32_000);

let live: Live;
beforeAll(async () => {
  live = await Live.start({ WEIR_MODELS: await localModels() });
});
afterAll(async () => {
  await live?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A film in which a person says the prompts one after the other. */
function film(): string {
  const wav = join(directory, 'spoken.wav');
  // First some seconds in which built-in AI can start.
  writeFileSync(wav, wavOf(Buffer.concat([silence(6), ...spoken.flatMap((prompt) => [pcmOf(prompt), silence(1.2)])])));
  const path = join(directory, 'spoken.mp4');
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=15', '-i', wav, '-shortest'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-c:a', 'aac', '-b:a', '96k'];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...coding, '-pix_fmt', 'yuv420p', path]);
  return path;
}

it('built-in AI subtitles a live stream without any provider: at most 6 % wrong words', async () => {
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  const answer = await live.post('/terraform/v1/ai/transcript/apply', { all: true, lang: 'en', overlayEnabled: false });
  expect(answer.code).toBe(0);
  const { uuid } = answer.data;
  const state = async () => (await live.post('/terraform/v1/ai/transcript/state')).data;
  expect((await state()).provider).toMatchObject({ by: 'built-in', host: '' });
  const publisher = new Publisher(live.publishUrl('show'), ['-i', film(), '-c', 'copy']);
  const cues = new Map<string, string>();
  let delayMs = Number.POSITIVE_INFINITY;
  const look = async () => {
    const list = await (await fetch(`${live.weir.origin}${hls}/webvtt/${uuid}/subtitles.m3u8`)).text();
    for (const [uri] of list.matchAll(/^\/.+\.vtt$/gm)) {
      const vtt = await (await fetch(live.weir.origin + uri)).text();
      for (const [, start = '', text = ''] of vtt.matchAll(/^(\S+) --> .+\n((?:.+\n)+)/gm)) cues.set(start, text);
    }
    delayMs = (await state()).streams[0].delayMs ?? delayMs;
  };
  const isOver = async () => {
    await look();
    const { live: came, asr, fix, overlay } = (await state()).streams[0];
    return publisher.hasEnded && overlay > 0 && came + asr + fix === 0;
  };
  await until(isOver, 'everything is subtitled', 180_000);
  const heard = [...cues].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  const { errors, words } = wordErrors(spoken.map(textOf).join(' '), heard.join(' '));
  expect(errors / words).toBeLessThanOrEqual(0.06);
  // 0.9 s on two busy cores.
  expect(delayMs).toBeLessThan(4000);
  const { streams } = await state();
  expect(streams[0]).toMatchObject({ failures: 0, dropped: 0, lostSegments: 0, cause: null });
});
