import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { analyseTone } from '../fixtures/tone/tone-analysis.fixture.ts';
import { freeUdpPort } from '../fixtures/udp-proxy.fixture.ts';
import { type BroadcastMedia, publishByWhip, publishClip, toneHz } from '../fixtures/viewer/broadcast.fixture.ts';
import { type HeardCounts, Listeners } from '../fixtures/viewer/listeners.fixture.ts';
import { launchViewers, type PlayerKind, playerKinds, Viewer } from '../fixtures/viewer/viewer.fixture.ts';
import { faultsOf, toneFaultsOf } from '../fixtures/viewer/viewer-faults.fixture.ts';

/** Every pair of protocol, sample rate, B-frames and player; the matrix of all is `npm run bench -- viewers`. */
const sources: Record<string, { kind: 'rtmp' | 'srt'; media: BroadcastMedia } | { kind: 'whip' }> = {
  'rtmp-441': { kind: 'rtmp', media: { sampleRate: 44_100, hasBFrames: false } },
  'rtmp-48-b': { kind: 'rtmp', media: { sampleRate: 48_000, hasBFrames: true } },
  'srt-441-b': { kind: 'srt', media: { sampleRate: 44_100, hasBFrames: true } },
  'srt-48': { kind: 'srt', media: { sampleRate: 48_000, hasBFrames: false } },
  whip: { kind: 'whip' },
};
const clipFramesPerSecond = 25;
/** Four segments of HLS. A fault of timestamps shows in each second. */
const windowSeconds = 8;
/** Players that just started catch up with the live edge. */
const settleSeconds = 3;

const names = Object.keys(sources);

let live: Live;
let browser: Browser;
/** The source of the next story, published ahead. */
let next: Promise<Source> | undefined;
/** Heard beside the players, which leave one of two cores idle. */
let firstMinute: Hearing;

beforeAll(async () => {
  const port = await freeUdpPort();
  [live, browser] = await Promise.all([
    Live.start({ WEIR_RTC_LISTEN: `127.0.0.1:${port}`, RTC_PORT: String(port) }),
    launchViewers(),
  ]);
  // Segments of two seconds: a new stream has enough of them soon.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  next = publish(names[0] ?? '');
  firstMinute = await hear(0);
});
afterAll(() => Promise.all([browser?.close(), live?.close()]));

interface Source {
  /** Frames that have left it. */
  frames(): Promise<number>;
  stop(): Promise<unknown>;
}

async function publish(name: string, stream = name): Promise<Source> {
  const { origin, rtmpPort, srtPort } = live.weir;
  const source = sources[name];
  if (source?.kind === 'rtmp' || source?.kind === 'srt') {
    const publisher = publishClip(source.kind, stream, source.media, { rtmpPort, srtPort, secret: live.secret });
    const frames = async () => (performance.now() / 1000) * clipFramesPerSecond;
    return { frames, stop: () => publisher.stop('SIGKILL') };
  }
  const page = await publishByWhip(browser, { origin, secret: live.secret }, stream);
  return { frames: () => page.evaluate<number>('framesSent()'), stop: () => page.close() };
}

/** A playlist with enough behind it to start from. */
async function hasSegments(name: string): Promise<boolean> {
  const answer = await fetch(live.http(name, '.m3u8'));
  const master = await answer.text();
  const media = /^[^#].*\.m3u8\S*$/m.exec(master)?.[0];
  const text = media ? await (await fetch(new URL(media, live.http(name, '.m3u8')))).text() : master;
  return (text.match(/#EXTINF/g)?.length ?? 0) >= 4;
}

/** Faults of viewers who have just come, over some seconds. */
async function watchAnew(source: Source, name: string, onPlaying = () => {}): Promise<Map<string, string>> {
  const open = async (kind: PlayerKind) =>
    [kind, await Viewer.open(browser, kind, { origin: live.weir.origin, name })] as const;
  const viewers = await Promise.all(playerKinds.map(open));
  try {
    await Promise.all(viewers.map(([, viewer]) => viewer.plays(settleSeconds)));
    onPlaying();
    return await watch(source, viewers);
  } finally {
    await Promise.all(viewers.map(([, viewer]) => viewer.close()));
  }
}

async function watch(
  source: Source,
  viewers: readonly (readonly [PlayerKind, Viewer])[],
): Promise<Map<string, string>> {
  await Promise.all(viewers.map(([, viewer]) => viewer.begin()));
  const framesBefore = await source.frames();
  const sounds = await Promise.all(viewers.map(([, viewer]) => viewer.listen(windowSeconds)));
  const reports = await Promise.all(viewers.map(([, viewer]) => viewer.report()));
  const framesSent = (await source.frames()) - framesBefore;
  const faults = new Map<string, string>();
  for (const [index, [kind]] of viewers.entries()) {
    const [report, sound] = [reports[index], sounds[index]];
    if (!report || !sound) throw new Error(`no report of ${kind}`);
    const tone = toneFaultsOf(analyseTone(sound.samples, sound.sampleRate, toneHz));
    for (const { what, size } of [...faultsOf(report, framesSent), ...tone]) faults.set(`${kind}: ${what}`, size);
  }
  return faults;
}

// Players side by side, sources in turn: all at once would be more than two cores can show.
describe('viewers hear and see', () => {
  it.each(names)('the whole stream %s in every player', async (name) => {
    const source = await (next ?? publish(name));
    try {
      await until(() => hasSegments(name), 'it has segments');
      let faults = await watchAnew(source, name, () => {
        // Has its segments by the time it is watched.
        const following = names[names.indexOf(name) + 1];
        next = following === undefined ? undefined : publish(following);
      });
      // A busy machine stalls this player and then that one, and a hole in what is buffered stays; a fault of ours is there each time.
      for (let again = 0; again < 2 && faults.size > 0; again++) {
        const before = faults;
        faults = new Map([...(await watchAnew(source, name))].filter(([what]) => before.has(what)));
      }
      expect(Object.fromEntries(faults)).toEqual({});
    } finally {
      await source.stop();
    }
  });
});

const heardSeconds = 60;
const nothing: HeardCounts = { samples: 0, concealed: 0, discarded: 0 };

/** Faults in the audio of a stream that was heard for a minute. */
function faultsHeard(name: string, before: HeardCounts, after: HeardCounts): [string, number][] {
  const samples = after.samples - before.samples;
  const discarded = after.discarded - before.discarded;
  const concealedPercent = (100 * (after.concealed - before.concealed)) / Math.max(1, samples);
  const faults: [string, number, boolean][] = [
    ['samples heard', samples, samples < 0.95 * heardSeconds * 48_000],
    ['packets discarded', discarded, discarded > 0],
    ['percent concealed', concealedPercent, concealedPercent >= 0.5],
  ];
  return faults.filter(([, , isFault]) => isFault).map(([what, size]) => [`${name}: ${what}`, size]);
}

/** Result of listening, known once the minute is over. */
interface Hearing {
  readonly faults: Promise<Map<string, number>>;
}

/**
 * Publishes all sources and listens to them side by side: resolves when the minute begins. A WHIP publisher whose page was closed keeps its
 * name for a while: new names.
 */
async function hear(attempt: number): Promise<Hearing> {
  const streamOf = (name: string) => `heard-${attempt}-${name}`;
  const streams = names.map(streamOf);
  const publishers = await Promise.all(names.map((name) => publish(name, streamOf(name))));
  for (const stream of streams) await until(() => live.isLive(stream), `${stream} is live`);
  const listeners = await Listeners.open(browser, live.weir.origin, streams);
  const secondsOf = async (stream: string) => ((await listeners.counts())[stream]?.samples ?? 0) / 48_000;
  for (const stream of streams) await until(async () => (await secondsOf(stream)) > settleSeconds, stream);
  const before = await listeners.counts();
  const listen = async () => {
    await sleep(heardSeconds * 1000);
    const after = await listeners.counts();
    await Promise.all([listeners.close(), ...publishers.map((publisher) => publisher.stop())]);
    const faultsOfSource = (name: string) =>
      faultsHeard(name, before[streamOf(name)] ?? nothing, after[streamOf(name)] ?? nothing);
    return new Map(names.flatMap(faultsOfSource));
  };
  const faults = listen();
  // A rejection must not end the run before a test awaits it.
  faults.catch(() => undefined);
  return { faults };
}

it('a minute of every stream is heard over WebRTC, with no packet discarded and less than 0.5 % concealed', async () => {
  let faults = await firstMinute.faults;
  // Repeated as above: a fault of ours is there each time, and now no other stream plays beside it.
  for (let attempt = 1; attempt < 3 && faults.size > 0; attempt++) {
    const before = faults;
    faults = new Map([...(await (await hear(attempt)).faults)].filter(([what]) => before.has(what)));
  }
  expect(Object.fromEntries(faults)).toEqual({});
});
