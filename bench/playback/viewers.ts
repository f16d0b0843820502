import { analyseTone } from '../../tests/media/fixtures/tone/tone-analysis.fixture.ts';
import {
  type BroadcastMedia,
  publishByWhip,
  publishClip,
  toneHz,
} from '../../tests/media/fixtures/viewer/broadcast.fixture.ts';
import { playerKinds, Viewer } from '../../tests/media/fixtures/viewer/viewer.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { hasSegments, type Measurement, openStage, round, type Stage } from './stage.ts';

const media: BroadcastMedia[] = [44_100, 48_000].flatMap((sampleRate) =>
  [false, true].map((hasBFrames) => ({ sampleRate: sampleRate as 44_100 | 48_000, hasBFrames })),
);
const clips = (['rtmp', 'srt'] as const).flatMap((kind) =>
  media.map((made) => ({
    name: `${kind}-${made.sampleRate === 44_100 ? 441 : 48}${made.hasBFrames ? '-b' : ''}`,
    kind,
    made,
  })),
);

async function publish({ live, browser }: Stage, name: string): Promise<() => Promise<unknown>> {
  const { origin, rtmpPort, srtPort } = live.weir;
  const clip = clips.find((one) => one.name === name);
  if (clip) {
    const publisher = publishClip(clip.kind, name, clip.made, { rtmpPort, srtPort, secret: live.secret });
    return () => publisher.stop('SIGKILL');
  }
  const page = await publishByWhip(browser, { origin, secret: live.secret }, name);
  return () => page.close();
}

/** Every source in turn, with one viewer by each protocol side by side. */
export async function measureViewers({ wanted, tell, tree, seconds = 20 }: Measurement): Promise<void> {
  const stage = await openStage(tree);
  const names = [...clips.map(({ name }) => name), 'whip'].filter(
    (name) => wanted.length === 0 || wanted.includes(name),
  );
  try {
    for (const name of names) {
      const stop = await publish(stage, name);
      await until(() => hasSegments(stage.live, name), 'it has segments', 60_000);
      const where = { origin: stage.live.weir.origin, name };
      const viewers = await Promise.all(playerKinds.map((kind) => Viewer.open(stage.browser, kind, where)));
      await Promise.all(viewers.map((viewer) => viewer.plays(3)));
      await Promise.all(viewers.map((viewer) => viewer.begin()));
      const sounds = await Promise.all(viewers.map((viewer) => viewer.listen(seconds)));
      const reports = await Promise.all(viewers.map((viewer) => viewer.report()));
      for (const [index, player] of playerKinds.entries()) {
        const [report, sound] = [reports[index], sounds[index]];
        if (!report || !sound) continue;
        const { faults, worstNoiseDb } = analyseTone(sound.samples, sound.sampleRate, toneHz);
        tell({
          source: name,
          player,
          frames: report.frames,
          freezes: report.freezes,
          frozenMs: round(report.frozenMs, 0),
          dropped: report.framesDropped,
          stalls: report.stalls,
          ranges: report.mostRanges,
          rateChanges: report.rateChanges,
          discarded: report.rtc && round((report.rtc.discarded / Math.max(1, report.rtc.audioPackets)) * 100),
          concealed: report.rtc && round(report.rtc.concealedShare * 100),
          audioBufferMs: report.rtc && round(report.rtc.audioBufferMs, 0),
          toneFaults: faults.length,
          worstNoiseDb: round(worstNoiseDb, 0),
        });
      }
      await Promise.all([stop(), ...viewers.map((viewer) => viewer.close())]);
    }
  } finally {
    await stage.close();
  }
}
