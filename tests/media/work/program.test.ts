import { spawn } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { videoIs, watchPhases } from '../../e2e/fixtures/browser.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { encodeAhead, encoding } from '../fixtures/ffmpeg.fixture.ts';
import { badSteps, FrameViewer } from '../fixtures/frames.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { PlaylistWatch } from '../fixtures/playlist-watch.fixture.ts';
import { LiveProgram } from '../fixtures/program.fixture.ts';
import { GapStage } from '../fixtures/program-gap.fixture.ts';
import { report } from '../fixtures/record.fixture.ts';
import { Viewer } from '../fixtures/viewer/viewer.fixture.ts';
import { Call, launchCallingBrowser } from '../fixtures/webrtc.fixture.ts';

/** A group of the publishers and 300 ms. */
const mostGapMs = 1300;

let here: Live;
let there: Live;
let browser: Browser;
let program: LiveProgram;
beforeAll(async () => {
  [here, there, browser] = await Promise.all([Live.start(), Live.start(), launchCallingBrowser()]);
  program = new LiveProgram(here);
});
afterEach(() => program.clear());
afterAll(() => Promise.all([browser.close(), here.close(), there.close()]));

const longest = (times: readonly number[], sinceMs: number) => {
  const seen = times.filter((at) => at > sinceMs - 500);
  return Math.round(
    Math.max(...seen.slice(1).map((at, index) => at - (seen[index] ?? 0)), performance.now() - (seen.at(-1) ?? 0)),
  );
};
/** Another size, frame rate and sample rate than other publishers here. */
const smaller = [
  ...[
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=30',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:sample_rate=48000',
  ],
  ...encoding,
];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A player as a process, and when bytes of it came out. */
class Reader {
  readonly arrivals: number[] = [];
  readonly #child;
  said = '';

  constructor(url: string) {
    const args = ['-v', 'error', '-fflags', 'nobuffer', '-i', url, '-map', '0:v', '-c', 'copy', '-flush_packets', '1'];
    this.#child = spawn('ffmpeg', [...args, '-f', 'mpegts', 'pipe:1'], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', () => this.arrivals.push(performance.now()));
    this.#child.stderr.on('data', (chunk) => (this.said += String(chunk)));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null;
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }
}

it('viewers of every protocol go on when the main encoder is killed and a backup is hot', async () => {
  await program.save('show', {
    inputs: [{ kind: 'publisher' }, { kind: 'backup', name: 'Second encoder' }, { kind: 'slate' }],
    returnSeconds: 1,
    leastSeconds: 0,
  });
  const main = program.publish(here.publishUrl('show'));
  await program.becomes('publisher');
  program.publish(await program.addressOf('backup', 'srt'), 'mpegts');
  await program.isGood('publisher', 'backup');
  await here.post('/terraform/v1/ffmpeg/forward/secret', {
    action: 'update',
    enabled: true,
    platform: 'wx',
    server: `rtmp://127.0.0.1:${there.weir.rtmpPort}/live`,
    secret: `copy?secret=${there.secret}`,
  });
  await until(() => there.isLive('copy'), 'the forward target is live');
  const flv = FrameViewer.overFlv(here.weir.httpPort, '/live/show.flv');
  const rtmp = FrameViewer.overRtmp(here.weir.rtmpPort, 'live', 'show');
  const copy = FrameViewer.overFlv(there.weir.httpPort, '/live/copy.flv');
  const srt = new Reader(
    `srt://127.0.0.1:${here.weir.srtPort}?streamid=#!::r=live/show,m=request&latency=120000&connect_timeout=20000`,
  );
  const low = new PlaylistWatch(here.http('show', '.ll.m3u8'));
  const whep = await Call.open(
    browser,
    here.weir.origin,
    `${here.weir.origin}/rtc/v1/whep/?app=live&stream=show`,
    false,
  );
  const counts = async () => [(await whep.facts()).frames, srt.arrivals.length, low.arrivals.length];
  await until(async () => Math.min(...(await counts())) > 5, 'all play').catch(async (error) => {
    throw new Error(`${String(error)}: ${await counts()} ${srt.said} ${JSON.stringify(await whep.answer())}`);
  });
  await pause(3000);
  expect((await program.row()).states.map(({ fit }) => fit)).toEqual(['same', 'same']);

  await whep.page.evaluate('call.longestGapMs = 0');
  const killedMs = performance.now();
  await main.stop('SIGKILL');
  await program.becomes('backup');
  await pause(2500);
  const facts = await whep.facts();
  const gaps = {
    flv: longest(flv.arrivals.video, killedMs),
    rtmp: longest(rtmp.arrivals.video, killedMs),
    srt: longest(srt.arrivals, killedMs),
    lowLatencyHls: longest(low.arrivals, killedMs),
    whep: Math.round(facts.longestGapMs),
    forward: longest(copy.arrivals.video, killedMs),
  };
  const [change] = (await program.row()).switches.slice(-1);
  report({ gaps, change });
  for (const [protocol, gapMs] of Object.entries(gaps))
    expect([protocol, gapMs <= mostGapMs, gapMs]).toEqual([protocol, true, gapMs]);
  expect(change).toMatchObject({ from: 'publisher', to: 'backup', reason: 'closed' });

  program.publish(here.publishUrl('show'));
  await program.becomes('publisher');
  await pause(2000);
  for (const viewer of [flv, rtmp, copy]) {
    expect([viewer.hasEnded, viewer.reason, viewer.configs]).toEqual([false, '', 2]);
    expect(badSteps(viewer.times.video.slice(3), 0, 300)).toEqual([]);
    expect(badSteps(viewer.times.audio.slice(3), 0, 60)).toEqual([]);
  }
  expect([srt.hasEnded, srt.said]).toEqual([false, '']);
  expect(low.text).not.toContain('EXT-X-DISCONTINUITY\n');
  expect((await whep.facts()).state).toBe('connected');
  const forwards = (await here.post('/terraform/v1/ffmpeg/forward/streams')).data;
  expect(forwards[0].process.starts).toBe(1);
  const live = (await here.post('/terraform/v1/mgmt/streams/query')).data.streams;
  expect(live.map(({ app, stream }: { app: string; stream: string }) => `${app}/${stream}`)).toEqual(['live/show']);
  for (const viewer of [flv, rtmp, copy, srt, low]) viewer.close();
  await whep.page.close();
  await here.post('/terraform/v1/ffmpeg/forward/secret', { action: 'remove', platform: 'wx' });
});

it('the slate is there at once when the only encoder is killed, and two seconds after it fell silent; the encoder returns with another size', async () => {
  encodeAhead(smaller);
  await program.save('solo', { inputs: [{ kind: 'publisher' }, { kind: 'slate' }], slateSeconds: 60 });
  const main = program.publish(here.publishUrl('solo'));
  await program.becomes('publisher');
  const flv = FrameViewer.overFlv(here.weir.httpPort, '/live/solo.flv');
  const low = new PlaylistWatch(here.http('solo', '.ll.m3u8'));
  const player = await Viewer.open(browser, 'll-hls', { origin: here.weir.origin, name: 'solo' });
  await player.plays(2);
  await player.page.evaluate(watchPhases);
  await player.begin();
  await until(() => flv.times.video.length > 50, 'it plays');
  const killedMs = performance.now();
  await main.stop('SIGKILL');
  await program.becomes('slate');
  await pause(1500);
  const slateGapMs = longest(flv.arrivals.video, killedMs);
  const returned = program.publish(here.publishUrl('solo'), 'flv', smaller);
  const startedMs = performance.now();
  await program.becomes('publisher');
  const backMs = Math.round(performance.now() - startedMs);
  await videoIs(player.page, 'video.videoWidth === 320 && !video.paused');
  const stoppedMs = performance.now();
  returned.process.kill('SIGSTOP');
  await program.becomes('slate');
  await pause(500);
  const silentGapMs = longest(flv.arrivals.video, stoppedMs);
  await player.page.evaluate('window.from = document.querySelector("video").currentTime');
  await videoIs(player.page, 'video.currentTime > window.from + 1 && video.buffered.length === 1');
  const { longestGapMs, waits, stalls } = await player.report();
  const phases = await player.page.evaluate('window.phases');
  report({ slateGapMs, silentGapMs, backMs, lowLatencyHls: { longestGapMs, waits, stalls } });
  expect(slateGapMs).toBeLessThanOrEqual(600);
  expect(silentGapMs).toBeLessThanOrEqual(2600);
  expect([flv.hasEnded, flv.reason]).toEqual([false, '']);
  expect(badSteps(flv.times.video.slice(3), 0, 300)).toEqual([]);
  expect(badSteps(flv.times.audio.slice(3), 0, 60)).toEqual([]);
  // Decoders are set up anew each time, and players are not told of a break: hls.js would stall for a second.
  expect(low.text.match(/#EXT-X-MAP:/g)?.length).toBeGreaterThan(1);
  expect(low.text).not.toContain('EXT-X-DISCONTINUITY\n');
  expect(phases).not.toContain('waiting');
  low.close();
  flv.close();
  await player.close();
});

it('F01: viewers, a forward and a recording go on while the publisher is away, and when it returns from another address', async () => {
  const stage = await GapStage.open(here, there);
  const shown = [await stage.gap(1000), await stage.gap(5000)];
  await stage.changeAddress();
  const seen = await stage.close();
  report({ shown, seen });
  expect(shown[1]).toBe('slate');
  expect(seen).toMatchObject({
    video: [],
    audio: [],
    viewer: 'watches',
    target: 'watches',
    forwardRestarts: 0,
    recordings: 1,
    complaints: '',
  });
  expect(seen.recordedSeconds).toBeGreaterThanOrEqual(seen.watchedSeconds);
});
