import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { expect, it, onTestFinished, vi } from 'vitest';
import { quietLog } from '../../quiet-log.fixture.ts';
import { FakeClock, FakeGate, FakeSource, sample, temporaryDirectory } from './hls-source.fixture.ts';
import { HlsStreams } from './hls-streams.ts';

async function openStreams() {
  const directory = await temporaryDirectory();
  const [clock, gate] = [new FakeClock(), new FakeGate()];
  const settings = { noHlsCtx: false, shortSegments: true };
  const streams = new HlsStreams({ gate, settings, directory, log: quietLog, clock });
  await streams.open();
  onTestFinished(() => streams.close());
  const segments = (format: FinishedSegment['format']) => gate.segments.filter((segment) => segment.format === format);
  return { streams, clock, directory, segments };
}

/** Packets of both tracks in the segments, by ffprobe, which lists the tracks of MPEG-TS twice. */
function countPackets(directory: string, segments: readonly FinishedSegment[]): number[] {
  const init = segments[0]?.init?.file;
  const files = [...(init === undefined ? [] : [init]), ...segments.map(({ file }) => file)];
  const whole = join(directory, 'whole');
  writeFileSync(whole, Buffer.concat(files.map((file) => readFileSync(file))));
  const args = ['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0', whole];
  return execFileSync('ffprobe', args, { encoding: 'utf8' }).split('\n').slice(0, 2).map(Number);
}

it('records the segments of the public variant in another format, with the same ids and frames, and without memory', async () => {
  const { streams, clock, directory, segments } = await openStreams();
  const source = new FakeSource(clock);
  streams.follow(source);
  streams.record(['fmp4']);
  source.play(sample(9));
  source.end();
  await vi.waitFor(() => expect([segments('fmp4').length, segments('mpegts').length]).toEqual([5, 5]));
  const [ts, fmp4] = [segments('mpegts'), segments('fmp4')];
  const factsOf = ({ id, durationMs, isDiscontinuity, isIndependent }: FinishedSegment) => ({
    id,
    durationMs,
    isDiscontinuity,
    isIndependent,
  });
  expect(fmp4.map(factsOf)).toEqual(ts.map(factsOf));
  expect(new Set(fmp4.map(({ init }) => init?.id)).size).toBe(1);
  expect(countPackets(directory, fmp4)).toEqual(countPackets(directory, ts));
  for (const { url } of fmp4) expect(streams.pieces.get(`/${url}`)).toBeUndefined();
  expect((await readdir(join(directory, 'live'))).filter((name) => name.endsWith('.mp4'))).toHaveLength(1);
});

it('cuts where a public variant cuts that waits for converted audio', async () => {
  const { streams, clock, segments } = await openStreams();
  const [converted, original] = [new FakeSource(clock), new FakeSource(clock)];
  streams.follow(converted, original);
  streams.record(['fmp4']);
  const { configs, frames } = sample(9);
  for (const source of [original, converted]) for (const config of configs) source.config(config);
  for (const [index, frame] of frames.entries()) {
    original.frame(frame);
    const late = frames[index - 40];
    if (late) converted.frame(late);
  }
  for (const frame of frames.slice(-40)) converted.frame(frame);
  await vi.waitFor(() => expect([segments('fmp4').length, segments('mpegts').length]).toEqual([4, 4]));
  expect(segments('fmp4').map(({ id }) => id)).toEqual(segments('mpegts').map(({ id }) => id));
});

it('begins with the last keyframe when recording starts in the middle of a segment, and ends when it stops', async () => {
  const { streams, clock, directory, segments } = await openStreams();
  const source = new FakeSource(clock);
  streams.follow(source);
  const { configs, frames } = sample(9);
  source.play({ configs, frames: frames.filter(({ dtsMs }) => dtsMs < 3300) });
  streams.record(['fmp4']);
  source.play({ configs, frames: frames.filter(({ dtsMs }) => dtsMs >= 3300 && dtsMs < 6500) });
  streams.record(['mpegts']);
  source.play({ configs, frames: frames.filter(({ dtsMs }) => dtsMs >= 6500) });
  await vi.waitFor(() => expect(segments('fmp4')).toHaveLength(3));
  const [first, second] = segments('fmp4');
  expect(first?.durationMs).toBe(1000);
  expect(second?.id).toBe(segments('mpegts')[2]?.id);
  // The files of a former run go with the next one.
  streams.record(['fmp4']);
  streams.record([]);
  const names = async () => (await readdir(join(directory, 'live'))).filter((name) => name.endsWith('.m4s'));
  await vi.waitFor(async () => expect(await names()).toEqual([expect.stringMatching(/^show-3-/)]));
});

it('marks a change of the picture size with another init section and a discontinuity', async () => {
  const { streams, clock, segments } = await openStreams();
  const source = new FakeSource(clock);
  streams.follow(source);
  streams.record(['fmp4']);
  source.play(sample(5));
  source.play(sample(5, { size: '320x240' }), 5000);
  source.end();
  await vi.waitFor(() => expect([segments('fmp4').length, segments('mpegts').length]).toEqual([6, 6]));
  const [first, ...others] = segments('fmp4').map(({ init }) => init?.id);
  const changedAt = others.findIndex((id) => id !== first) + 1;
  expect(new Set([first, ...others]).size).toBe(2);
  expect(segments('fmp4').map(({ isDiscontinuity }) => isDiscontinuity)).toEqual(
    [first, ...others].map((_, index) => index === changedAt),
  );
});

it('removes an init section with the last segment that needs it', async () => {
  const { streams, clock, directory, segments } = await openStreams();
  const source = new FakeSource(clock);
  streams.follow(source);
  streams.record(['fmp4']);
  source.play(sample(5, { size: '320x240' }));
  for (let n = 0; n < 8; n++) source.play(sample(9), 5000 + n * 9000);
  source.end();
  const inits = async () => (await readdir(join(directory, 'live'))).filter((name) => name.endsWith('.mp4'));
  await vi.waitFor(async () => {
    const ids = new Set(segments('fmp4').map(({ init }) => init?.id));
    expect(ids.size).toBe(2);
    expect(await inits()).toEqual([expect.stringContaining([...ids][1] ?? 'a second one')]);
  });
});
