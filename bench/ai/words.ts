import { wordErrors } from '../../tests/ai/human-speech.fixture.ts';
import { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import type { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { spokenFile } from '../../tests/media/fixtures/speech.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { BurntText } from './burnt-text.ts';
import { humanFilm, syntheticFilm } from './films.ts';
import { quantile, startProduct, transcribe, transcriptState } from './product.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Cue extends Span {
  readonly text: string;
}

interface Round {
  readonly publishers: readonly Publisher[];
  /** Burnt-in text of the last stream. */
  readonly burnt: BurntText;
  readonly withinMs: number;
}

const seconds = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
const hls = '/terraform/v1/ai/transcript/hls';

/** Word error rate with segments of two and ten seconds, and the distance of subtitles from the speech. */
export async function words(result: BenchResult, isQuick: boolean): Promise<void> {
  const prompts = isQuick ? ['ss-noservice', 'tt-allbusy'] : undefined;
  const [human, synthetic, timed] = [humanFilm(prompts), syntheticFilm(prompts), await spokenFile()];
  for (const isShort of [true, false]) {
    const live = await startProduct();
    try {
      await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: isShort });
      const names = ['live/human', 'live/synthetic', 'live/timed'];
      await transcribe(live, names, true);
      const publishers = [human, synthetic, timed].map(
        ({ path }, at) => new Publisher(live.publishUrl(names[at]?.slice(5) ?? ''), ['-i', path, '-c', 'copy']),
      );
      const burnt = new BurntText(live.weir.origin + hls);
      const heard = await heardIn(live, names, { publishers, burnt, withinMs: (2 * human.seconds + 120) * 1000 });
      const label = isShort ? 'segments of 2 s' : 'segments of 10 s';
      for (const [at, film] of [human, synthetic].entries()) {
        const text = (heard[at] ?? []).map((cue) => cue.text).join(' ');
        const { errors, words: all } = wordErrors(film.text, text);
        const row = { label, stream: names[at], words: all, wrongWords: errors };
        result.add(row, `${label}, ${names[at]}: ${((100 * errors) / all).toFixed(1)} % of ${all} words wrong`);
      }
      result.add({ label, output: 'WebVTT', ...distances(timed.spoken, heard[2] ?? []) });
      result.add({ label, output: 'burned in', ...distances(timed.spoken, burnt.spans()) });
    } finally {
      await live.close();
    }
  }
}

/** Distance of text starts and ends from the speech. */
function distances(spoken: readonly Span[], shown: readonly Span[]) {
  const away = spoken.flatMap(({ start, end }) => {
    const inside = shown.filter((one) => one.start < end && one.end > start);
    const [first, last] = [inside[0], inside.at(-1)];
    return first && last ? [Math.abs(first.start - start), Math.abs(last.end - end)] : [Number.NaN];
  });
  return { p50Ms: Math.round(1000 * quantile(away, 0.5)), mostMs: Math.round(1000 * Math.max(...away)) };
}

/** All cues that stood in the WebVTT output of each stream, until everything published has passed. */
async function heardIn(live: Live, names: readonly string[], { publishers, burnt, withinMs }: Round) {
  const cues = names.map(() => new Map<number, Cue>());
  const check = async () => {
    const { streams } = await transcriptState(live);
    for (const { uuid, wanted } of streams) {
      const own = cues[names.indexOf(wanted)];
      if (wanted === names.at(-1)) await burnt.check(uuid);
      const list = await (await fetch(`${live.weir.origin}${hls}/webvtt/${uuid}/subtitles.m3u8`)).text();
      for (const [uri] of list.matchAll(/^\/.+\.vtt$/gm)) {
        const vtt = await (await fetch(live.weir.origin + uri)).text();
        for (const [, from = '', to = '', text = ''] of vtt.matchAll(/^(\S+) --> (\S+).*\n((?:.+\n)+)/gm))
          own?.set(seconds(from), { start: seconds(from), end: seconds(to), text });
      }
    }
    const isQuiet = ({ live: came, asr, fix }: { live: number; asr: number; fix: number }) => came + asr + fix === 0;
    return publishers.every(({ hasEnded }) => hasEnded) && streams.every(isQuiet);
  };
  await until(check, 'everything is subtitled', withinMs);
  return cues.map((own) => [...own.values()].sort((a, b) => a.start - b.start));
}
