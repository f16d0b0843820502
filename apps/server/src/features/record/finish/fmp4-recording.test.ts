import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AudioConfig, Fmp4Muxer, type MediaFrame, type VideoConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { expect, it, onTestFinished } from 'vitest';
import type { LoggedSegment } from '../../../segments/segment-log.ts';
import { Mp4Recording } from '../library/mp4-recording.ts';
import { RecordingFiles } from '../library/recording-files.ts';
import { makeMp4, makeThumbnail } from './make-mp4.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const seconds = 4;
const encoders = {
  'h264 aac': ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-c:a', 'aac'],
  'hevc aac': ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1'],
  'av1 opus': ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-ac', '2'],
} as const;

/** A recording in fragmented MP4 as the recorder stores it, made by ffmpeg. */
async function recordingOf(encoder: readonly string[]): Promise<{ files: RecordingFiles; segments: LoggedSegment[] }> {
  const home = mkdtempSync(join(tmpdir(), 'weir-fmp4-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const made = (name: string) => join(home, name);
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const hls = ['-f', 'hls', '-hls_segment_type', 'fmp4', '-hls_time', '1', '-hls_list_size', '0', made('x.m3u8')];
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-t', String(seconds), '-g', '10', ...encoder, ...hls]);
  const files = new RecordingFiles(join(home, 'record'));
  await files.create(uuid);
  const init = createHash('sha256')
    .update(readFileSync(made('init.mp4')))
    .digest('hex')
    .slice(0, 32);
  writeFileSync(files.init(uuid, init), readFileSync(made('init.mp4')));
  const names = readdirSync(home).filter((name) => name.endsWith('.m4s'));
  const segments = names.map((name, index): LoggedSegment => {
    const bytes = readFileSync(made(name));
    const tsid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    writeFileSync(files.segment(uuid, { tsid, format: 'fmp4' }), bytes);
    const durationMs = (1000 * seconds) / names.length;
    return {
      tsid,
      format: 'fmp4',
      init,
      sequence: index,
      durationMs,
      bytes: bytes.length,
      isDiscontinuity: false,
      atMs: 0,
    };
  });
  return { files, segments };
}

/** Without edit lists, by which ffprobe leaves out what Opus has before its beginning. */
function probe(file: string): { codec_name: string; packets: number }[] {
  const edits = file.endsWith('.m3u8') ? [] : ['-ignore_editlist', '1'];
  const args = [
    '-v',
    'error',
    ...edits,
    '-count_packets',
    '-show_entries',
    'stream=codec_name,nb_read_packets',
    '-of',
    'json',
  ];
  const { streams } = JSON.parse(execFileSync('ffprobe', [...args, file], { encoding: 'utf8' })) as {
    streams: { codec_name: string; nb_read_packets: string }[];
  };
  return streams.map(({ codec_name, nb_read_packets }) => ({ codec_name, packets: Number(nb_read_packets) }));
}

it.each(Object.entries(encoders))(
  'an fMP4 recording of %s becomes one MP4 with every packet unchanged, and plays from that file in the same format',
  async (name, encoder) => {
    const { files, segments } = await recordingOf(encoder);
    const { signal } = new AbortController();
    const onLeftOut = () => expect.unreachable();
    await makeMp4({ cues: [], language: '', files, uuid, segments, onPercent: () => undefined, onLeftOut, signal });
    const tracks = probe(files.file(uuid, 'index.mp4'));
    expect(tracks.map(({ codec_name }) => codec_name).join(' ')).toBe(name);
    expect(tracks).toEqual(probe(files.file(uuid, 'index.m3u8')));
    expect(tracks[0]?.packets).toBe(10 * seconds);
    expect(await makeThumbnail(files, { uuid, segment: segments[0] as LoggedSegment, signal })).toBe(true);

    const film = await Mp4Recording.open(files.file(uuid, 'index.mp4'), segments);
    await film.verify(segments);
    expect(film.segments.map(({ init }) => init)).toEqual(segments.map(() => film.init?.id));
    const pieces = await Promise.all(film.segments.map((segment) => film.segment(segment)));
    const again = files.file(uuid, 'index.mp4.tmp');
    writeFileSync(again, Buffer.concat([film.init?.bytes, ...pieces].filter((bytes) => bytes !== undefined)));
    expect(probe(again)).toEqual(tracks);
  },
);

/** A recording whose only segment lasts twelve seconds, as with a publisher that sends few keyframes. */
async function longSegment(): Promise<{ files: RecordingFiles; segments: LoggedSegment[] }> {
  const home = mkdtempSync(join(tmpdir(), 'weir-fmp4-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
  const args = ['-v', 'error', ...inputs, '-t', '12', '-g', '200', ...encoders['h264 aac'], '-f', 'mpegts', '-'];
  const demuxer = new MpegTsDemuxer();
  const frames: MediaFrame[] = [];
  const configs: { video?: VideoConfig; audio?: AudioConfig } = {};
  for (const item of [...demuxer.push(execFileSync('ffmpeg', args)), ...demuxer.flush()]) {
    if (item.type === 'frame') frames.push(item.frame);
    else if (item.type === 'config' && item.config.kind === 'video') configs.video = item.config;
    else if (item.type === 'config' && item.config.kind === 'audio') configs.audio = item.config;
  }
  const muxer = new Fmp4Muxer(configs);
  const bytes = muxer.fragments(frames.sort((a, b) => a.dtsMs - b.dtsMs));
  const init = createHash('sha256').update(muxer.initSegment()).digest('hex').slice(0, 32);
  const files = new RecordingFiles(join(home, 'record'));
  await files.create(uuid);
  const segment: LoggedSegment = {
    tsid: uuid,
    format: 'fmp4',
    init,
    sequence: 0,
    durationMs: 12_000,
    bytes: bytes.length,
    isDiscontinuity: false,
    atMs: 0,
  };
  writeFileSync(files.init(uuid, init), muxer.initSegment());
  writeFileSync(files.segment(uuid, segment), bytes);
  return { files, segments: [segment] };
}

it('the MP4 of an fMP4 recording starts its audio with its video, also where segments are longer than ten seconds', async () => {
  const { files, segments } = await longSegment();
  const { signal } = new AbortController();
  const onLeftOut = () => expect.unreachable();
  const made = await makeMp4({
    cues: [],
    language: '',
    files,
    uuid,
    segments,
    onPercent: () => undefined,
    onLeftOut,
    signal,
  });
  expect(made.durationMs).toBeLessThan(12_500);
  const args = ['-v', 'error', '-show_entries', 'stream=codec_type,start_time', '-of', 'csv=p=0'];
  const startsOf = (file: string) =>
    Object.fromEntries(
      execFileSync('ffprobe', [...args, file], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(',') as [string, string]),
    );
  const starts = startsOf(files.file(uuid, 'index.mp4'));
  expect(Math.abs(Number(starts.video) - Number(starts.audio))).toBeLessThan(0.06);
});
