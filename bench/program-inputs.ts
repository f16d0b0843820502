// Watches players of each protocol while a program goes to an input that differs from the one on air, and back:
//   node bench/program-inputs.ts [names of changes]       rows of others stay as they were measured last
// One line a change and player: the longest time without a new frame after each switch, stalls, and what decoders complained of.
// Needs ffmpeg and Chromium.
import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import type { ProgramRow } from '@weir/contract';
import { madeOnce } from '../tests/made-once.fixture.ts';
import { Publisher } from '../tests/media/fixtures/ffmpeg.fixture.ts';
import { publishByWhip } from '../tests/media/fixtures/viewer/broadcast.fixture.ts';
import { playerKinds, Viewer } from '../tests/media/fixtures/viewer/viewer.fixture.ts';
import { until } from '../tests/weir.fixture.ts';
import { openStage, type Stage } from './playback/stage.ts';
import { BenchResult } from './results.ts';

const api = '/terraform/v1/live/program';
const watchedMs = 7000;
/** Players that decode nothing after this long have stopped. */
const stoppedMs = 3000;

interface Media {
  readonly size?: string;
  readonly fps?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly codec?: 'h264' | 'h265';
  readonly hasBFrames?: boolean;
  readonly tracks?: 'both' | 'video' | 'audio';
}

interface Change {
  readonly second: Media;
  readonly protocol?: 'srt' | 'whip';
  readonly isConforming?: boolean;
  /** The main encoder is killed and nothing else is there. */
  readonly isSlate?: boolean;
}

const changes: Readonly<Record<string, Change>> = {
  none: { second: {} },
  'RTMP → SRT': { second: {}, protocol: 'srt' },
  'RTMP → WHIP': { second: {}, protocol: 'whip' },
  '44.1 → 48 kHz': { second: { sampleRate: 48_000 } },
  'stereo → mono': { second: { channels: 1 } },
  'size and frame rate': { second: { size: '320x180', fps: 30 } },
  'B-frames': { second: { hasBFrames: true } },
  'without audio': { second: { tracks: 'video' } },
  'without video': { second: { tracks: 'audio' } },
  'H.264 → H.265': { second: { codec: 'h265' }, protocol: 'srt' },
  'H.264 → H.265, conformed': { second: { codec: 'h265' }, protocol: 'srt', isConforming: true },
  slate: { second: {}, isSlate: true },
};

function clip(media: Media): string {
  const { size = '640x360', fps = 25, sampleRate = 44_100, channels = 2, codec = 'h264', hasBFrames } = media;
  const { tracks = 'both' } = media;
  const order = hasBFrames ? ['-profile:v', 'main', '-bf', '2'] : ['-profile:v', 'baseline', '-tune', 'zerolatency'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', ...order];
  const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-bf', '0'];
  const video = [...(codec === 'h264' ? h264 : h265), '-pix_fmt', 'yuv420p', '-g', String(fps), '-b:v', '500k'];
  const args = [
    ...(tracks === 'audio' ? [] : ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}`]),
    ...(tracks === 'video' ? [] : ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${sampleRate}`]),
    ...(tracks === 'audio' ? [] : video),
    ...(tracks === 'video' ? [] : ['-c:a', 'aac', '-b:a', '64k', '-ac', String(channels)]),
  ];
  return madeOnce([...args, '-t', '60'], codec === 'h264' ? 'flv' : 'ts');
}

/** ffmpeg as a player: when frames came out of the decoder, and what it said. */
class Reader {
  readonly arrivals: number[] = [];
  said = '';
  readonly #child: ChildProcess;

  constructor(url: string) {
    // Each frame at its own time: ffmpeg's own complaints about pressed frames are about its output.
    const passing = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];
    const args = [
      '-v',
      'error',
      '-i',
      url,
      '-map',
      '0:v',
      ...passing,
      '-f',
      'framecrc',
      '-flush_packets',
      '1',
      'pipe:1',
    ];
    this.#child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', () => this.arrivals.push(performance.now()));
    this.#child.stderr?.on('data', (chunk) => (this.said += String(chunk)));
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  longestSince(sinceMs: number): number {
    const seen = [...this.arrivals.filter((at) => at > sinceMs - 500), performance.now()];
    return Math.round(Math.max(0, ...seen.slice(1).map((at, index) => at - (seen[index] ?? 0))));
  }

  get stoodMs(): number {
    return performance.now() - (this.arrivals.at(-1) ?? 0);
  }
}

const wanted = process.argv.slice(2);
const isWanted = (change: unknown) => wanted.length === 0 || wanted.includes(String(change));
const result = new BenchResult('program-inputs', { keeps: ({ change }) => !isWanted(change) });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(stage: Stage, name: string, change: Change): Promise<void> {
  const { live, browser } = stage;
  const stream = `s${Object.keys(changes).indexOf(name)}`;
  const publishers: { stop: () => Promise<unknown> }[] = [];
  const publish = (url: string, file: string, format: 'flv' | 'mpegts' = 'flv') => {
    const publisher = new Publisher(url, ['-stream_loop', '-1', '-i', file, '-c', 'copy'], format);
    publishers.push({ stop: () => publisher.stop('SIGKILL') });
    return publisher;
  };
  const inputs = [{ kind: 'publisher' }, ...(change.isSlate ? [{ kind: 'slate' }] : [{ kind: 'backup' }])];
  const fields = { app: 'live', stream, inputs, isConforming: change.isConforming ?? false, returnSeconds: 1 };
  const { uuid, ...saved }: ProgramRow = (await live.post(`${api}/save`, fields)).data;
  const row = async (): Promise<ProgramRow> => {
    const { programs } = (await live.post(`${api}/query`)).data as { programs: ProgramRow[] };
    return programs.find((one) => one.uuid === uuid) as ProgramRow;
  };
  const becomes = (id: string) => until(async () => (await row()).onAir === id, `${id} is on air`, 30_000);
  const main = publish(live.publishUrl(stream), clip({}));
  await becomes('publisher');
  const backup = saved.inputs[1];
  if (backup?.kind === 'backup') {
    const { srtPort, origin } = live.weir;
    const srt = `srt://127.0.0.1:${srtPort}?streamid=#!::r=live/${stream}?secret=${backup.key},m=publish`;
    if (change.protocol === 'whip') {
      const page = await publishByWhip(browser, { origin, secret: backup.key }, stream);
      publishers.push({ stop: () => page.close() });
    } else if (change.protocol === 'srt') publish(srt, clip(change.second), 'mpegts');
    else publish(live.rtmp(stream, `?secret=${backup.key}`), clip(change.second));
    const isThere = async () =>
      (await row()).states.some(({ id, state }) => id === 'backup' && state !== 'absent' && state !== 'starting');
    await until(isThere, 'the second input is there', 30_000);
    // An edge, and the encoder of one that conforms.
    await pause(3000);
  }
  const fit = (await row()).states.find(({ id }) => id === 'backup')?.fit ?? '';
  const readers = {
    'ffmpeg RTMP': new Reader(live.rtmp(stream)),
    'ffmpeg FLV': new Reader(live.http(stream, '.flv')),
    'ffmpeg SRT': new Reader(`srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/${stream},m=request`),
    'ffmpeg HLS': new Reader(live.http(stream, '.m3u8')),
  };
  const where = { origin: live.weir.origin, name: stream };
  const viewers = await Promise.all(playerKinds.map((kind) => Viewer.open(browser, kind, where)));
  try {
    await Promise.all(viewers.map((viewer) => viewer.plays(3)));
    await until(() => Object.values(readers).every(({ arrivals }) => arrivals.length > 25), 'ffmpeg plays', 60_000);
    const switchTo = async (input: string) => {
      const { code, data } = await live.post(`${api}/switch`, { uuid, input });
      if (code !== 0) return String(data?.message);
      await becomes(input);
      return '';
    };
    const kill = async () => {
      await main.stop('SIGKILL');
      await becomes('slate');
      return '';
    };
    const returns = async () => {
      publish(live.publishUrl(stream), clip({}));
      await becomes('publisher');
      return '';
    };
    const steps = change.isSlate
      ? { there: kill, back: returns }
      : { there: () => switchTo('backup'), back: () => switchTo('publisher') };
    for (const [step, act] of Object.entries(steps)) {
      for (const reader of Object.values(readers)) reader.said = '';
      await Promise.all(viewers.map((viewer) => viewer.begin()));
      const sinceMs = performance.now();
      const refused = await act();
      await pause(watchedMs);
      const facts = { change: name, step, fit, ...(refused !== '' && { refused }) };
      for (const [player, reader] of Object.entries(readers)) {
        const said = reader.said
          .trim()
          .split('\n')
          .filter((line) => line !== '');
        const hasStopped = reader.stoodMs > stoppedMs;
        result.add({
          ...facts,
          player,
          longestMs: reader.longestSince(sinceMs),
          hasStopped,
          lines: said.length,
          said: said[0] ?? '',
        });
      }
      const seen = await Promise.all(
        viewers.map(async (viewer) => ({
          report: await viewer.report(),
          hasStopped: await viewer.page.evaluate<boolean>(
            `(async () => { const video = document.querySelector('video'); const at = video.currentTime; await new Promise((resolve) => setTimeout(resolve, ${stoppedMs})); return video.currentTime === at; })()`,
          ),
        })),
      );
      for (const [at, { report, hasStopped }] of seen.entries()) {
        const { longestGapMs, stalledMs, waits, skippedMs, mostRanges } = report;
        const [longestMs, stalled, skipped] = [longestGapMs, stalledMs, skippedMs].map(Math.round);
        result.add({
          ...facts,
          player: playerKinds[at],
          longestMs,
          stalledMs: stalled,
          skippedMs: skipped,
          waits,
          mostRanges,
          hasStopped,
        });
      }
      if (refused !== '') break;
    }
  } finally {
    for (const reader of Object.values(readers)) reader.close();
    await Promise.all([...viewers.map((viewer) => viewer.close()), ...publishers.map(({ stop }) => stop())]);
    await live.post(`${api}/remove`, { uuid });
  }
}

const stage = await openStage(undefined);
try {
  for (const [name, change] of Object.entries(changes)) {
    if (!isWanted(name)) continue;
    await measure(stage, name, change).catch((error: unknown) =>
      result.add({ change: name, error: String(error).slice(0, 400) }),
    );
  }
} finally {
  await stage.close();
}
process.exit(0);
