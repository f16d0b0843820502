import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RecordLink, TranscriptHit } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { Recordings } from '../fixtures/record.fixture.ts';
import { spokenFile } from '../fixtures/speech.fixture.ts';

const run = promisify(execFile);
/** Second phrase, twice. Two seconds of silence come first, because listening begins some time after the stream. */
const [fromSecond, seconds] = [4, 5];

let live: Live;
let provider: AiProvider;
let recordings: Recordings;
let film: Awaited<ReturnType<typeof spokenFile>>;
let publisher: Publisher | undefined;
beforeAll(async () => {
  [film, provider, live] = await Promise.all([spokenFile(), AiProvider.start(), Live.start()]);
  provider.heard = 'Guten Abend, 晚上好 everybody';
  recordings = new Recordings(live);
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  await recordings.start();
  await recordings.post('subtitles', { subtitles: true });
  const config = { all: true, secretKey: 'sk-test', baseURL: provider.baseURL, lang: 'en', overlayEnabled: false };
  expect(await live.post('/terraform/v1/ai/transcript/apply', { ...config, fixSeconds: 0 })).toMatchObject({
    status: 200,
  });
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await live?.close();
  await provider?.close();
});

async function search(query: string): Promise<TranscriptHit[]> {
  return (await live.post('/terraform/v1/ai/words/search', { query })).data.hits;
}

/** True if nothing published is still in a queue. */
async function isSettled(): Promise<boolean> {
  const [pipeline] = (await live.post('/terraform/v1/ai/transcript/state')).data.streams;
  const { duration } = (await recordings.list('show'))[0] ?? { duration: 0 };
  return pipeline.live + pipeline.asr + pipeline.fix === 0 && duration > 2 * seconds - 0.5;
}

async function publish(): Promise<void> {
  const only = ['-ss', String(fromSecond), '-t', String(seconds), '-i', film.path, '-c', 'copy'];
  publisher = new Publisher(live.publishUrl('show'), only);
  await until(() => publisher?.hasEnded ?? false, 'all is published', seconds * 1000 + 30_000);
}

it('spoken words are in the recording at their second, are found, and are deleted with the recording', async () => {
  await publish();
  await publish();
  await until(isSettled, 'all text is final');
  const { uuid, transcript } = await recordings.wait('show', () => true, 'it is there');
  expect(transcript).toBe(true);
  const done = await recordings.finish(await recordings.wait('show', () => true, 'is there'));
  expect(done).toMatchObject({ uuid, state: 'done', discontinuities: 1, transcript: true });

  const hits = (await search('晚上')).toReversed();
  const isOfIt = (hit: TranscriptHit) => hit.recording === uuid && hit.stream === 'show' && hit.kind === 'speech';
  expect(hits.map(isOfIt)).toEqual([true, true]);
  const start = (film.spoken[1]?.start ?? 0) - fromSecond;
  const away = hits.map(({ second }, at) => Math.abs((second ?? -9) - at * seconds - start));
  expect(
    Math.max(...away),
    `${hits.map(({ second }) => second)} instead of ${start} and ${seconds + start}`,
  ).toBeLessThan(0.5);
  expect(hits[0]?.text.slice(...(hits[0]?.marks[0] ?? []))).toBe('晚上');

  const link: RecordLink = (await live.post('/terraform/v1/hooks/record/sign', { uuid })).data;
  const get = (path: string) => fetch(live.weir.origin + path);
  const srt = await get(`${link.srt}&download=1`);
  expect([srt.status, srt.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="live-show-[\d-]+\.srt"$/),
  ]);
  const starts = [...(await srt.text()).matchAll(/^(\d\d):(\d\d):(\d\d),(\d{3}) -->/gm)];
  expect(starts.map(([, , , second, ms]) => Number(`${second}.${ms}`))).toEqual(hits.map(({ second }) => second));
  expect((await get(link.vtt)).headers.get('content-language')).toBe('en');
  expect(await (await get(link.vtt)).text()).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> /);
  expect(await (await get(link.txt)).text()).toBe('Guten Abend, 晚上好 everybody\n'.repeat(hits.length));
  for (const path of [link.srt, link.vtt, link.txt]) expect((await get(path.replace(/\?.*/, ''))).status).toBe(401);

  const args = [
    '-v',
    'error',
    '-select_streams',
    's',
    '-show_entries',
    'stream=codec_name:stream_tags=language:packet=pts_time,size',
    '-of',
    'json',
  ];
  const { stdout } = await run('ffprobe', [...args, recordings.file(uuid, 'index.mp4')]);
  const { streams, packets } = JSON.parse(stdout) as {
    streams: { codec_name: string; tags: { language: string } }[];
    packets: { pts_time: string; size: string }[];
  };
  expect(streams).toEqual([{ codec_name: 'mov_text', tags: { language: 'eng' } }]);
  const shown = packets.filter(({ size }) => Number(size) > 2).map(({ pts_time }) => Number(pts_time));
  expect(shown.map((at, index) => Math.abs(at - (hits[index]?.second ?? 0)) < 0.1)).toEqual(hits.map(() => true));
  // The film was verified with the words in it: only then its segments go.
  await until(async () => (await recordings.list('show'))[0]?.size === done.mp4Bytes, 'the segments are gone');

  await recordings.post('remove', { uuid });
  expect(await search('abend')).toEqual([]);
  expect((await get(link.srt)).status).toBe(404);
});
