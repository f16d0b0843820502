import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
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
  const source = new FakeSource(clock);
  streams.follow(source);
  return { streams, source, gate, clock, directory };
}

it('packages and announces a stream without viewers', async () => {
  const { streams, source, gate, directory } = await openStreams();
  source.play(sample(9));
  await vi.waitFor(() => expect(gate.segments).toHaveLength(4));
  expect(await readdir(join(directory, 'live'))).toHaveLength(4);
  const { file, url } = gate.segments[0] ?? { file: '', url: '' };
  const [, sequence, timestampMs] = /-(\d+)-(\d+)\.ts$/.exec(file) ?? [];
  expect(streams.fileOf('live/show', Number(sequence), Number(timestampMs))).toBe(file);
  expect(streams.pieces.get(`/${url}`)?.body[0]).toBe(0x47);
});

it('reports a stream as gone when nothing of it is left, but not while its publisher may return', async () => {
  const { streams, source, clock, gate, directory } = await openStreams();
  const gone: string[] = [];
  streams.whenGone((key) => gone.push(key));
  source.play(sample(5));
  source.end();
  await vi.waitFor(() => expect(gate.segments).toHaveLength(3));
  clock.pass(14_000);
  streams.sweep();
  expect(gone).toEqual([]);
  expect(streams.find('live/show')).toBeDefined();
  clock.pass(2000);
  streams.sweep();
  expect(gone).toEqual(['live/show']);
  expect(streams.find('live/show')).toBeUndefined();
  await vi.waitFor(async () => expect(await readdir(directory)).toEqual([]));
});

it('delays the last segment for frames that are still being converted', async () => {
  const { streams, source, clock, gate } = await openStreams();
  const { configs, frames } = sample(3);
  // Two seconds of it are the first segment.
  const isLast = (dtsMs: number) => dtsMs > 2500;
  const isTail = ({ kind, dtsMs }: (typeof frames)[number]) => kind === 'audio' && isLast(dtsMs);
  source.play({ configs, frames: frames.filter((frame) => !isTail(frame)) });
  await vi.waitFor(() => expect(gate.segments).toHaveLength(1));
  source.publisher = undefined;
  source.isDraining = true;
  clock.pass(5000);
  streams.sweep();
  expect(gate.segments).toHaveLength(1);
  for (const frame of frames.filter(isTail)) source.frame(frame);
  source.isDraining = false;
  clock.pass(600);
  streams.sweep();
  await vi.waitFor(() => expect(gate.segments).toHaveLength(2));
  const { url, durationMs } = gate.segments[1] ?? { url: '', durationMs: 0 };
  expect(durationMs).toBeGreaterThan(900);
  const demuxer = new MpegTsDemuxer();
  const items = [...demuxer.push(streams.pieces.get(`/${url}`)?.body ?? Buffer.alloc(0)), ...demuxer.flush()];
  const sounds = items.flatMap((item) => (item.type === 'frame' && item.frame.kind === 'audio' ? [item.frame] : []));
  expect(sounds).toHaveLength(frames.filter(({ kind, dtsMs }) => kind === 'audio' && dtsMs >= 2000).length);
});

/** The tracks that a segment's tables name. */
function tracksOf(bytes: Buffer | undefined): unknown {
  const items = new MpegTsDemuxer().push(bytes ?? Buffer.alloc(0));
  return items.flatMap((item) => (item.type === 'metadata' ? [Object.keys(item.values)] : []))[0];
}

it('removes an absent track from the MPEG-TS tables, and adds it when it returns', async () => {
  const { source, streams, gate } = await openStreams();
  const { configs, frames } = sample(9);
  const pictures = frames.filter(({ kind }) => kind === 'video');
  for (const config of configs) source.config(config);
  source.missing('audio');
  for (const frame of pictures) source.frame(frame);
  await vi.waitFor(() => expect(gate.segments).toHaveLength(4));
  const first = gate.segments[0]?.url ?? '';
  expect(tracksOf(streams.pieces.get(`/${first}`)?.body)).toEqual(['videocodecid']);
  source.play({ configs, frames }, 10_000);
  await vi.waitFor(() => expect(gate.segments.length).toBeGreaterThan(7));
  expect(tracksOf(streams.pieces.get(`/${gate.segments.at(-1)?.url}`)?.body)).toEqual(['videocodecid', 'audiocodecid']);
});

it('does not wait for announced video that does not arrive', async () => {
  const { source, gate } = await openStreams();
  const { configs, frames } = sample(5);
  for (const config of configs) source.config(config);
  source.missing('video');
  for (const frame of frames) if (frame.kind === 'audio') source.frame(frame);
  await vi.waitFor(() => expect(gate.segments).toHaveLength(2));
  expect(gate.segments[0]?.durationMs).toBeGreaterThan(1900);
});
