import { setTimeout as sleep } from 'node:timers/promises';
import { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { humanFilm } from './films.ts';
import { FrameWatch } from './frames.ts';
import { aiSeconds, quantile, startProduct, transcribe, transcriptState } from './product.ts';

const names = ['one', 'two', 'three', 'four'];
/** In which processes start and whoever joins gets what others had before. */
const settleMs = 8000;

/** Cost of four transcribed streams, and its effect on their viewers. */
export async function load(result: BenchResult, isQuick: boolean): Promise<void> {
  const film = humanFilm();
  const live = await startProduct();
  const publishers = names.map(
    (name) => new Publisher(live.publishUrl(name), ['-stream_loop', '-1', '-i', film.path, '-c', 'copy']),
  );
  try {
    for (const name of names) await until(() => live.isLive(name), 'it is live');
    const measuredMs = isQuick ? 10_000 : 60_000;
    result.add(await measure(live, 'without AI', measuredMs));
    await transcribe(
      live,
      names.map((name) => `live/${name}`),
    );
    const isHeard = async () => {
      const { streams } = await transcriptState(live);
      return streams.every(({ delayMs }: { delayMs: number | null }) => delayMs !== null);
    };
    await until(isHeard, 'all are understood', 120_000);
    result.add(await measure(live, 'with AI', measuredMs));
    const { streams } = await transcriptState(live);
    const sum = (name: string) =>
      streams.reduce((all: number, one: Record<string, number>) => all + (one[name] ?? 0), 0);
    const delays = streams.map(({ delayMs }: { delayMs: number }) => delayMs);
    result.add({ subtitleDelaysMs: delays, dropped: sum('dropped'), failures: sum('failures') });
  } finally {
    for (const publisher of publishers) await publisher.stop('SIGKILL');
    await live.close();
  }
}

async function measure(live: Live, label: string, measuredMs: number): Promise<object> {
  const viewers = await Promise.all(names.map((name) => FrameWatch.open(live.http(name, '.flv'))));
  await sleep(settleMs);
  for (const viewer of viewers) viewer.begin();
  const before = aiSeconds(live);
  await sleep(measuredMs);
  const spent = aiSeconds(live) - before;
  const facts = viewers.map((viewer) => viewer.facts());
  for (const viewer of viewers) viewer.close();
  const late = facts.flatMap((one) => one.late);
  const sum = (name: 'pictures' | 'missing') => facts.reduce((all, one) => all + one[name], 0);
  const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => Number(quantile(late, share).toFixed(1)));
  const aiCores = Number(((1000 * spent) / measuredMs).toFixed(2));
  return { streams: names.length, label, frames: sum('pictures'), missing: sum('missing'), p50Ms, p99Ms, aiCores };
}
