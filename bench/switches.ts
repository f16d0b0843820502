// Changes of quality in a browser, on a ladder that is made here: npm run bench -- switches [hls.js|Shaka] [COUNT] [ENDING]
// Publishes 720p25 with a clock in the picture and a tone to a whole product with a ladder of 480p and 240p. A page changes the quality with each
// segment, so often, and counts stalls and holes. Video that moves against its time line, and audio that is not the tone that was sent, are jumps.
// ENDING is .m3u8 or .ll.m3u8. Shaka comes from npm into the folder of player libraries.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { analyseTone } from '../tests/media/fixtures/tone/tone-analysis.fixture.ts';
import { type ViewerReport, viewerProbe } from '../tests/media/fixtures/viewer/viewer-probe.fixture.ts';
import { until } from '../tests/weir.fixture.ts';
import { clockPage, paintClock } from './playback/picture-clock.ts';
import { type PlayerLibrary, readPlayerLibrary } from './playback/player-libraries.ts';
import { openStage, round } from './playback/stage.ts';
import { BenchResult } from './results.ts';

const [only = '', count = '100', ending = '.m3u8'] = process.argv.slice(2);
const changes = Number(count);
const name = 'switches';
const framesPerSecond = 25;
const toneHz = 440;
/** Longer than a segment: each change comes into effect before the next. */
const everyMs = 2200;
const listenSeconds = 10;
const mostJumpMs = 20;

interface Player {
  readonly name: PlayerLibrary;
  /** Plays `url` in `video`, and defines `change(index)` for qualities by size, the lowest first. */
  readonly script: string;
}

const players: readonly Player[] = [
  {
    name: 'hls.js',
    script: `
      const hls = new Hls({ lowLatencyMode: true, maxBufferLength: 6, maxMaxBufferLength: 8 });
      hls.on(Hls.Events.ERROR, (_, { details, fatal }) => fatal && errors.push(details));
      hls.loadSource(url);
      hls.attachMedia(video);
      window.change = (index) => (hls.loadLevel = index);`,
  },
  {
    name: 'Shaka',
    script: `
      shaka.polyfill.installAll();
      const player = new shaka.Player();
      player.addEventListener('error', ({ detail }) => errors.push('code ' + detail.code + ' ' + (detail.message ?? detail)));
      player.configure({ abr: { enabled: false } });
      player.attach(video).then(() => player.load(url)).catch((error) => errors.push('load: ' + error.code));
      window.change = (index) => {
        const tracks = player.getVariantTracks().filter(({ height }) => height).sort((a, b) => a.height - b.height);
        player.selectVariantTrack(tracks[index], false);
      };`,
  },
];

/** Pictures with the time of the stream, and a tone. */
function publish(url: string): () => void {
  const [width, height] = [640, 360];
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', String(framesPerSecond)];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=${toneHz}:sample_rate=48000`];
  const video = ['-vf', 'scale=1280:720:flags=neighbor', '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0'];
  const rate = ['-g', '50', '-sc_threshold', '0', '-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k'];
  const args = ['-v', 'error', ...raw, '-i', 'pipe:0', ...sound, '-map', '0:v', '-map', '1:a', ...video, ...rate];
  const output = ['-c:a', 'aac', '-b:a', '96k', '-shortest', '-f', 'flv', url];
  const child = spawn('ffmpeg', [...args, ...output], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => undefined);
  const frame = Buffer.alloc((width * height * 3) / 2, 128);
  const beganMs = performance.now();
  let painted = 0;
  const timer = setInterval(() => {
    for (; painted <= ((performance.now() - beganMs) / 1000) * framesPerSecond; painted++) {
      paintClock(frame, width, painted * (1000 / framesPerSecond));
      child.stdin.write(Buffer.from(frame));
    }
  }, 5);
  return () => {
    clearInterval(timer);
    child.kill('SIGKILL');
  };
}

/** Ladders run behind other programs, which may be many on the machine that measures. */
function raiseLadder(): void {
  const pid = live.weir.pidOf('engine');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  for (const child of children.map(Number))
    for (const thread of readdirSync(`/proc/${child}/task`)) setPriority(Number(thread), getPriority());
}

/** In the page: how far each picture is from where its time line has it, and the sizes that are shown. */
const watch = `
  window.offsets = [];
  window.sizes = 0;
  let width = 0;
  viewer.onFrame = (element, { mediaTime }) => {
    const streamMs = clock.time(element);
    if (element.videoWidth !== width) sizes += 1;
    width = element.videoWidth;
    if (streamMs === undefined) return;
    offsets.push({ atMs: performance.now(), ms: mediaTime * 1000 - streamMs });
  };
`;

interface Offset {
  readonly atMs: number;
  readonly ms: number;
}

/** Largest step between the medians of one second and the next: single pictures are read a frame early or late. */
function largestStepMs(offsets: readonly Offset[]): number {
  const seconds = Map.groupBy(offsets, ({ atMs }) => Math.floor(atMs / 1000));
  const medians = [...seconds.values()].map((all) => {
    const values = all.map(({ ms }) => ms).sort((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? 0;
  });
  return Math.max(0, ...medians.slice(1).map((ms, n) => Math.abs(ms - (medians[n] ?? ms))));
}

async function hear(page: Page, isOver: () => boolean) {
  const faults: string[] = [];
  let seconds = 0;
  while (!isOver()) {
    const { sampleRate, base64 } = await page.evaluate<{ sampleRate: number; base64: string }>(
      `viewer.listen(${listenSeconds})`,
    );
    const bytes = Buffer.from(base64, 'base64');
    const samples = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
    const report = analyseTone(samples, sampleRate, toneHz);
    seconds += report.seconds;
    faults.push(...report.faults.map(({ kind, size }) => `${kind} of ${size}`));
  }
  return { seconds, faults };
}

const asked = [name, only.toLowerCase().replace('.', ''), ending === '.m3u8' ? '' : 'll'].filter(Boolean).join('-');
const result = new BenchResult(asked, { isQuick: changes < 100 });
const stage = await openStage(undefined);
const { live, browser } = stage;
const rungs = [
  { lines: 480, kbps: 1200 },
  { lines: 240, kbps: 350 },
];
await live.post('/terraform/v1/ffmpeg/ladder/save', {
  pattern: `/live/${name}`,
  encoder: 'libx264',
  preset: 'ultrafast',
  isForced: true,
  hasAudioOnly: true,
  rungs,
});
const stop = publish(live.publishUrl(name));
try {
  const url = live.http(name, ending);
  const isWhole = async () => {
    raiseLadder();
    return (await (await fetch(url)).text()).match(/RESOLUTION=/g)?.length === 3;
  };
  await until(isWhole, 'three qualities', 60_000);
  for (const player of players.filter((one) => only === '' || one.name.toLowerCase() === only.toLowerCase())) {
    const page = await browser.newPage();
    await page.addInitScript(viewerProbe);
    // A page without an origin may not read from this machine.
    await page.goto(`${live.weir.origin}/terraform/v1/mgmt/versions`);
    await page.setContent('<video muted autoplay playsinline width="320"></video>');
    await page.addScriptTag({ content: readPlayerLibrary(player.name) });
    await page.evaluate(`${clockPage};window.errors = [];window.video = document.querySelector('video');0`);
    await page.evaluate(`(() => { const url = ${JSON.stringify(url)};${player.script} })()`);
    await until(() => page.evaluate<boolean>('video.currentTime > 4 && video.readyState >= 3'), 'it plays', 60_000);
    await page.evaluate(`(() => {${watch}})()`);
    await page.evaluate('viewer.begin()');
    let isOver = false;
    const sound = hear(page, () => isOver);
    const sizes = () => page.evaluate<number>('sizes');
    const first = await sizes();
    for (let n = 0, tries = 0; n < changes && tries < changes * 1.3; tries++) {
      // 240, 480, 720, 480, 240 …
      await page.evaluate(`change(${[0, 1, 2, 1][tries % 4]});0`);
      await sleep(everyMs);
      n = (await sizes()) - first;
    }
    isOver = true;
    const heard = await sound;
    const report = await page.evaluate<ViewerReport>('viewer.report()');
    const offsets = await page.evaluate<Offset[]>('offsets');
    const videoJumpMs = largestStepMs(offsets);
    result.add({
      player: player.name,
      ending,
      changes: (await sizes()) - first,
      waits: report.waits,
      stalls: report.stalls,
      stalledMs: Math.round(report.stalledMs),
      freezes: report.freezes,
      longestGapMs: Math.round(report.longestGapMs),
      skips: report.skips,
      videoJumpMs: round(videoJumpMs),
      hasVideoJump: videoJumpMs > mostJumpMs,
      heardSeconds: Math.round(heard.seconds),
      toneFaults: heard.faults,
      errors: await page.evaluate<string[]>('errors'),
    });
    await page.close();
  }
} finally {
  stop();
  await stage.close();
}
