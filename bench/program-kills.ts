// Watches viewers of each protocol while the main encoder of a program is killed with SIGKILL and a backup is hot:
//   node bench/program-kills.ts [kills] [rtmp | srt]       20 kills and a backup over SRT unless told
// Groups are one second long. A forward to a second server has a viewer there. Needs ffmpeg and Chromium.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { badSteps, FrameViewer } from '../tests/media/fixtures/frames.fixture.ts';
import { Live } from '../tests/media/fixtures/live.fixture.ts';
import { PlaylistWatch } from '../tests/media/fixtures/playlist-watch.fixture.ts';
import { LiveProgram } from '../tests/media/fixtures/program.fixture.ts';
import { playerKinds, Viewer } from '../tests/media/fixtures/viewer/viewer.fixture.ts';
import { until } from '../tests/weir.fixture.ts';
import { openStage } from './playback/stage.ts';
import { BenchResult } from './results.ts';

const kills = Number(process.argv[2] ?? 20);
const backupOver = process.argv[3] === 'rtmp' ? 'rtmp' : 'srt';
const watchedMs = 2500;
const longestAudioStepMs = 60;

// Each frame at its own time: ffmpeg's own complaints about frames close together are about its output.
const passing = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000'];
// One track at a time: with two, one of them waits for the other.
const work = {
  video: ['-map', '0:v', '-c', 'copy'],
  audio: ['-map', '0:a', '-c', 'copy'],
  decode: ['-map', '0', ...passing],
};

/** ffmpeg that copies a track, or decodes both and says what is wrong with them. */
class Reader {
  readonly arrivals: number[] = [];
  readonly times: number[] = [];
  said = '';
  readonly #child: ChildProcess;
  #rest = '';
  #unitMs = 0;

  constructor(url: string, what: keyof typeof work) {
    const args = [
      '-v',
      'error',
      '-fflags',
      'nobuffer',
      '-i',
      url,
      ...work[what],
      '-f',
      'framecrc',
      '-flush_packets',
      '1',
    ];
    this.#child = spawn('ffmpeg', [...args, 'pipe:1'], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (chunk) => this.#read(String(chunk)));
    this.#child.stderr?.on('data', (chunk) => (this.said += String(chunk)));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null;
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const unit = /^#tb 0: (\d+)\/(\d+)/.exec(line);
      if (unit) this.#unitMs = (1000 * Number(unit[1])) / Number(unit[2]);
      const [track, dts] = line.split(',');
      if (track !== '0') continue;
      this.arrivals.push(performance.now());
      this.times.push(Number(dts) * this.#unitMs);
    }
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const longest = (times: readonly number[], sinceMs: number) => {
  const seen = [...times.filter((at) => at > sinceMs - 500), performance.now()];
  return Math.round(Math.max(...seen.slice(1).map((at, index) => at - (seen[index] ?? 0))));
};

/** Share of the processors that others took from this machine, where it is a virtual one, in percent since a reading before. */
const processorTimes = () =>
  (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/).slice(1, 9).map(Number);
function stolenSince(before: readonly number[]): number {
  const spent = processorTimes().map((ticks, index) => ticks - (before[index] ?? 0));
  return Math.round(
    (100 * (spent[7] ?? 0)) /
      Math.max(
        1,
        spent.reduce((sum, ticks) => sum + ticks, 0),
      ),
  );
}
/** Kills with more of it say more of the other machines. */
const mostStolen = 5;

const result = new BenchResult(`program-kills-${backupOver}`, { isQuick: kills < 10 });
const [stage, there] = await Promise.all([openStage(undefined), Live.start()]);
try {
  await measure();
} finally {
  await Promise.all([stage.close(), there.close()]);
}
process.exit(0);

async function measure(): Promise<void> {
  const { live, browser } = stage;
  const program = new LiveProgram(live);
  const inputs = [{ kind: 'publisher' }, { kind: 'backup' }, { kind: 'slate' }];
  await program.save('show', { inputs, returnSeconds: 1, leastSeconds: 0 });
  let main = program.publish(live.publishUrl('show'));
  await program.becomes('publisher');
  program.publish(await program.addressOf('backup', backupOver), backupOver === 'srt' ? 'mpegts' : 'flv');
  await program.isGood('publisher', 'backup');
  const forward = { action: 'update', enabled: true, platform: 'wx', stream: 'live/show' };
  const target = { server: `rtmp://127.0.0.1:${there.weir.rtmpPort}/live`, secret: `copy?secret=${there.secret}` };
  await live.post('/terraform/v1/ffmpeg/forward/secret', { ...forward, ...target });
  await until(() => there.isLive('copy'), 'the forward target is live', 60_000);

  const frames = {
    rtmp: FrameViewer.overRtmp(live.weir.rtmpPort, 'live', 'show'),
    flv: FrameViewer.overFlv(live.weir.httpPort, '/live/show.flv'),
    'forward target': FrameViewer.overFlv(there.weir.httpPort, '/live/copy.flv'),
  };
  const srtUrl = `srt://127.0.0.1:${live.weir.srtPort}?streamid=#!::r=live/show,m=request`;
  const srt = new Reader(srtUrl, 'video');
  const heard = { srt: new Reader(srtUrl, 'audio'), hls: new Reader(live.http('show', '.m3u8'), 'audio') };
  const low = new PlaylistWatch(live.http('show', '.ll.m3u8'));
  const decoders = {
    rtmp: new Reader(live.rtmp('show'), 'decode'),
    flv: new Reader(live.http('show', '.flv'), 'decode'),
    srt: new Reader(srtUrl, 'decode'),
    hls: new Reader(live.http('show', '.m3u8'), 'decode'),
  };
  const where = { origin: live.weir.origin, name: 'show' };
  const viewers = await Promise.all(playerKinds.map((kind) => Viewer.open(browser, kind, where)));
  await Promise.all(viewers.map((viewer) => viewer.plays(5)));
  const readers = [srt, ...Object.values(heard), ...Object.values(decoders)];
  await until(() => readers.every(({ arrivals }) => arrivals.length > 50), 'ffmpeg reads', 60_000);
  for (const reader of readers) reader.said = '';
  // Requests that only a player makes that starts again.
  const again = viewers.map(() => 0);
  for (const [at, { page }] of viewers.entries())
    page.on('request', (request) => {
      if (/\.flv|whep|show\.ll\.m3u8|show\.m3u8/.test(request.url()) && !/hls_ctx=|_HLS_/.test(request.url()))
        again[at] = (again[at] ?? 0) + 1;
    });
  const startsOf = async () => (await live.post('/terraform/v1/ffmpeg/forward/streams')).data[0].process.starts;
  const startsBefore = await startsOf();

  const gaps: Record<string, number[]> = {};
  const stalls: number[] = [];
  const stolen: number[] = [];
  for (let count = 0; count < kills; count++) {
    await Promise.all(viewers.map((viewer) => viewer.begin()));
    const sinceMs = performance.now();
    const timesBefore = processorTimes();
    await main.stop('SIGKILL');
    await program.becomes('backup');
    await pause(watchedMs);
    stolen.push(stolenSince(timesBefore));
    const reports = await Promise.all(viewers.map((viewer) => viewer.report()));
    const row = {
      ...Object.fromEntries(
        Object.entries(frames).map(([name, viewer]) => [name, longest(viewer.arrivals.video, sinceMs)]),
      ),
      srt: longest(srt.arrivals, sinceMs),
      'parts of ll-hls': longest(low.arrivals, sinceMs),
      ...Object.fromEntries(
        reports.map((report, at) => [`${playerKinds[at]} on screen`, Math.round(report.longestGapMs)]),
      ),
    };
    stalls.push(...reports.map((report) => report.waits + report.stalls));
    for (const [name, gapMs] of Object.entries(row)) gaps[name] = [...(gaps[name] ?? []), gapMs];
    console.log(JSON.stringify({ ...row, stolen: stolen.at(-1) }));
    main = program.publish(live.publishUrl('show'));
    await program.becomes('publisher');
    // Another moment of the group each time.
    await pause(1000 + ((count * 370) % 1000));
  }
  for (const [player, all] of Object.entries(gaps)) {
    const undisturbed = all.filter((_, index) => (stolen[index] ?? 0) <= mostStolen);
    const facts = { median: median(all), worst: Math.max(...all), undisturbed: undisturbed.length };
    const quiet = { quietMedian: median(undisturbed), quietWorst: Math.max(0, ...undisturbed) };
    result.add({ what: 'longest time without new video, ms', player, ...facts, ...quiet, all });
  }
  result.add({ what: 'stolen from the machine at each kill, percent', stolen });
  const audio = {
    ...Object.fromEntries(Object.entries(frames).map(([name, { times }]) => [name, times.audio.slice(3)])),
    srt: heard.srt.times,
    hls: heard.hls.times,
  };
  for (const [player, times] of Object.entries(audio)) {
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const beyond = badSteps(times, 0, longestAudioStepMs).length;
    result.add({ what: 'audio', player, longestStepMs: Math.round(Math.max(...steps)), beyond, frames: times.length });
  }
  for (const [player, { said, hasEnded }] of Object.entries(decoders))
    result.add({ what: 'ffmpeg decodes', player, hasEnded, complaints: said.trim().split('\n').filter(Boolean) });
  const facts = await Promise.all(
    viewers.map((viewer) =>
      viewer.page.evaluate<object>(
        `(() => { const video = document.querySelector('video'); return { error: video.error?.message ?? '', ranges: video.buffered.length, state: viewer.peer?.connectionState }; })()`,
      ),
    ),
  );
  for (const [at, player] of playerKinds.entries())
    result.add({
      what: 'browser',
      player,
      startedAgain: again[at],
      waits: stalls.filter((_, index) => index % playerKinds.length === at).reduce((sum, one) => sum + one, 0),
      ...facts[at],
    });
  result.add({
    what: 'connections',
    kills,
    ended:
      Object.values(frames).filter(({ hasEnded }) => hasEnded).length +
      readers.filter(({ hasEnded }) => hasEnded).length,
    decodersSetUp: Object.fromEntries(Object.entries(frames).map(([name, { configs }]) => [name, configs])),
    forwardRestarts: (await startsOf()) - startsBefore,
    hlsDiscontinuities: low.text.match(/EXT-X-DISCONTINUITY\n/g)?.length ?? 0,
  });
  for (const one of [...Object.values(frames), ...readers, low]) one.close();
  await Promise.all(viewers.map((viewer) => viewer.close()));
  await live.post('/terraform/v1/ffmpeg/forward/secret', { action: 'remove', platform: 'wx' });
  await program.clear();
}
