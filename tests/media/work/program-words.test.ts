import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RecordLink } from '@weir/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AiProvider } from '../../ai-provider.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { LiveProgram } from '../fixtures/program.fixture.ts';
import { Recordings, report } from '../fixtures/record.fixture.ts';
import { spokenFile } from '../fixtures/speech.fixture.ts';

const run = promisify(execFile);
const switches = 12;
const betweenMs = 2500;
/** Words may begin this far from where they are heard. */
const mostAway = 0.4;
/** Of what is sent to the provider, in hertz, and in which it is looked for speech. */
const [sampleRate, window] = [16_000, 800];
const loud = 300;

let live: Live;
let provider: AiProvider;
let film: Awaited<ReturnType<typeof spokenFile>>;
beforeAll(async () => {
  [film, provider, live] = await Promise.all([spokenFile(), AiProvider.start(), Live.start()]);
  provider.hearsIn = (pcm) => spansOf(pcm).map((span) => ({ ...span, text: 'spoken' }));
});
afterAll(async () => {
  await live?.close();
  await provider?.close();
});

/** Where a voice is in 16-bit samples, in seconds. Pauses within a phrase are short. */
function spansOf(pcm: Buffer): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (let at = 0; at + 2 * window <= pcm.length; at += 2 * window) {
    let peak = 0;
    for (let sample = at; sample < at + 2 * window; sample += 2)
      peak = Math.max(peak, Math.abs(pcm.readInt16LE(sample)));
    if (peak < loud) continue;
    const [start, end] = [at / 2 / sampleRate, (at / 2 + window) / sampleRate];
    const last = spans.at(-1);
    if (last && start - last.end < 0.6) last.end = end;
    else spans.push({ start, end });
  }
  return spans;
}

it('subtitles stay on their words while a program is switched again and again', async () => {
  const recordings = new Recordings(live);
  const program = new LiveProgram(live);
  await recordings.start();
  await recordings.post('subtitles', { subtitles: true });
  const config = { all: true, secretKey: 'sk-test', baseURL: provider.baseURL, lang: 'en', overlayEnabled: false };
  await live.post('/terraform/v1/ai/transcript/apply', { ...config, fixSeconds: 0 });
  const { uuid } = await program.save('spoken', {
    inputs: [{ kind: 'publisher' }, { kind: 'backup' }],
    isReturning: false,
  });
  const said = ['-stream_loop', '-1', '-i', film.path, '-c', 'copy'];
  program.publish(live.publishUrl('spoken'), 'flv', said);
  await program.becomes('publisher');
  program.publish(await program.addressOf('backup'), 'flv', said);
  await program.isGood('publisher', 'backup');
  for (let count = 0; count < switches; count++) {
    const to = count % 2 === 0 ? 'backup' : 'publisher';
    expect(await program.switchTo(to)).toBeUndefined();
    await program.becomes(to);
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }
  const pipeline = async () => (await live.post('/terraform/v1/ai/transcript/state')).data.streams[0];
  await program.clear();
  const isDone = async () => {
    const { live: waiting, asr, fix } = await pipeline();
    return waiting + asr + fix === 0;
  };
  await until(isDone, 'all text is final', 60_000);
  const all = await recordings.list('spoken');
  const done = await recordings.finish(await recordings.wait('spoken', () => true, 'is there'));
  const link: RecordLink = (await live.post('/terraform/v1/hooks/record/sign', { uuid: done.uuid })).data;
  const srt = await (await fetch(live.weir.origin + link.srt)).text();
  const starts = [...srt.matchAll(/^(\d\d):(\d\d):(\d\d),(\d{3}) -->/gm)].map(
    ([, hours, minutes, seconds, ms]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${ms}`),
  );
  const quiet = 'silencedetect=noise=-38dB:d=0.6';
  const { stderr } = await run('ffmpeg', [
    '-i',
    recordings.file(done.uuid, 'index.mp4'),
    '-vn',
    '-af',
    quiet,
    '-f',
    'null',
    '-',
  ]);
  const times = (name: string) =>
    [...stderr.matchAll(new RegExp(`${name}: (-?[\\d.]+)`, 'g'))].map(([, at]) => Number(at));
  const ends = times('silence_end');
  const silences = times('silence_start').map((start, at) => [start, ends[at] ?? Number.POSITIVE_INFINITY] as const);
  const early = starts.filter((at) => silences.some(([from, to]) => at > from + mostAway && at < to - mostAway));
  const onTime = ends.filter((end) => starts.some((at) => Math.abs(at - end) < mostAway));
  report({ uuid, starts, silences, onTime: onTime.length });
  expect([all.length, early]).toEqual([1, []]);
  expect(onTime.length).toBeGreaterThanOrEqual(5);
});
