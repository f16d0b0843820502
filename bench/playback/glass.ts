import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishByWhip } from '../../tests/media/fixtures/viewer/broadcast.fixture.ts';
import { playerKinds, Viewer } from '../../tests/media/fixtures/viewer/viewer.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { clockPage, paintClock } from './picture-clock.ts';
import { hasSegments, type Measurement, openStage, round, type Stage } from './stage.ts';

const width = 640;
const height = 360;
const framesPerSecond = 25;

/**
 * ffmpeg that encodes pictures with the time at which they were made. Its audio begins when it is connected, so pictures are
 * counted from then on, too: with tracks of different clocks ffmpeg would hold every picture for the difference (up to
 * 150 ms over SRT) to write them in order, which encoders that label both by one clock do not.
 */
function publishClock(url: string, format: 'flv' | 'mpegts'): () => void {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(framesPerSecond)];
  const picture = ['-fflags', 'nobuffer', '-probesize', '32', ...raw];
  const sound = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline'];
  const rate = ['-g', '25', '-b:v', '800k', '-maxrate', '800k', '-bufsize', '400k'];
  const encode = [...h264, ...rate, '-c:a', 'aac', '-b:a', '96k', '-ac', '2', '-flush_packets', '1'];
  const muxing = ['-muxdelay', '0', '-muxpreload', '0', '-f', format, url];
  const args = [
    '-v',
    'error',
    ...picture,
    '-i',
    'pipe:0',
    ...sound,
    '-map',
    '0:v',
    '-map',
    '1:a',
    ...encode,
    ...muxing,
  ];
  const child = spawn('ffmpeg', args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const frame = Buffer.alloc((width * height * 3) / 2, 128);
  let painted = 0;
  const paint = () => {
    painted += 1;
    paintClock(frame, width, Date.now());
    child.stdin.write(Buffer.from(frame));
  };
  // The first picture tells ffmpeg what its input is; it takes the second one once it is connected.
  paint();
  paint();
  let timer: NodeJS.Timeout | undefined;
  child.stdin.once('drain', () => {
    const beganMs = performance.now();
    timer = setInterval(() => {
      if (painted <= ((performance.now() - beganMs) / 1000) * framesPerSecond) paint();
    }, 2);
  });
  return () => {
    clearInterval(timer);
    child.kill('SIGKILL');
  };
}

async function publish(stage: Stage, kind: string): Promise<() => unknown> {
  const { origin, rtmpPort, srtPort } = stage.live.weir;
  const { secret } = stage.live;
  if (kind === 'rtmp') return publishClock(`rtmp://127.0.0.1:${rtmpPort}/live/rtmp?secret=${secret}`, 'flv');
  if (kind === 'srt')
    return publishClock(
      `srt://127.0.0.1:${srtPort}?streamid=#!::r=live/srt?secret=${secret},m=publish&pkt_size=1316`,
      'mpegts',
    );
  const onPaint = `${clockPage};window.onPaint = (paint) => clock.paint(paint)`;
  const page = await publishByWhip(stage.browser, { origin, secret }, 'whip', onPaint);
  return () => page.close();
}

const percentile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

/** Delay of every picture that a player shows, for every source and player in turn. */
export async function measureGlass({ wanted, tell, tree, seconds = 15 }: Measurement): Promise<void> {
  const stage = await openStage(tree);
  const isWanted = (name: string, all: readonly string[]) =>
    wanted.includes(name) || !all.some((one) => wanted.includes(one));
  const sources = ['whip', 'rtmp', 'srt'];
  try {
    for (const source of sources.filter((name) => isWanted(name, sources))) {
      const stop = await publish(stage, source);
      await until(() => hasSegments(stage.live, source), 'it has segments', 60_000);
      for (const player of playerKinds.filter((name) => isWanted(name, playerKinds))) {
        const viewer = await Viewer.open(stage.browser, player, { origin: stage.live.weir.origin, name: source });
        await viewer.plays(1);
        // Players that start catch up with the live edge.
        await sleep(8000);
        await viewer.page.evaluate(
          `${clockPage};viewer.delays = [];viewer.onFrame = (video) => viewer.delays.push(clock.read(video));0`,
        );
        await sleep(seconds * 1000);
        const delays = await viewer.page.evaluate<(number | null)[]>('viewer.delays');
        const read = delays.filter((delay) => typeof delay === 'number').sort((a, b) => a - b);
        tell({
          source,
          player,
          frames: delays.length,
          unread: delays.length - read.length,
          p50Ms: round(percentile(read, 0.5), 0),
          p95Ms: round(percentile(read, 0.95), 0),
          maxMs: round(read.at(-1) ?? 0, 0),
        });
        await viewer.close();
      }
      await stop();
    }
  } finally {
    await stage.close();
  }
}
