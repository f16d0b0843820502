import { readFileSync } from 'node:fs';
import { AiProvider } from '../../tests/ai-provider.fixture.ts';
import { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { spokenFile } from '../../tests/media/fixtures/speech.fixture.ts';
import { childrenOf, until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { transcriptState } from './product.ts';

/** Effect of a provider outage of a minute on viewers, and the time until text returns. */
export async function gone(result: BenchResult, isQuick: boolean): Promise<void> {
  const awayMs = isQuick ? 20_000 : 60_000;
  const [film, provider, live] = await Promise.all([spokenFile(), AiProvider.start(), Live.start()]);
  const publisher = new Publisher(live.publishUrl('said'), ['-stream_loop', '-1', '-i', film.path, '-c', 'copy']);
  try {
    await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
    const settings = { all: true, lang: 'en', secretKey: 'sk', baseURL: provider.baseURL, overlayEnabled: false };
    const { data } = await live.post('/terraform/v1/ai/transcript/apply', { ...settings, fixSeconds: 1 });
    const output = new Output(`${live.weir.origin}/terraform/v1/ai/transcript/hls`, data.uuid);
    await until(() => output.check(), 'text in the output', 120_000);
    const memory = megabytes(live);
    await provider.disappear();
    const wentMs = performance.now();
    const had = output.segments;
    await until(async () => (await output.check()) && performance.now() - wentMs > awayMs, 'a while', 2 * awayMs);
    const without = output.segments - had;
    await provider.comeBack();
    const backMs = performance.now();
    const before = output.withText;
    await until(async () => (await output.check()) && output.withText > before, 'text is back', 120_000);
    const again = ((performance.now() - backMs) / 1000).toFixed(1);
    const unanswered = async () => {
      const { failures = 0, dropped = 0 } = (await transcriptState(live)).streams[0] ?? {};
      return failures + dropped;
    };
    const left = await unanswered();
    // Missed utterances are requested one by one, behind current speech.
    let [least, leastMs] = [left, performance.now()];
    const isSettled = async () => {
      const now = await unanswered();
      if (now < least) [least, leastMs] = [now, performance.now()];
      return least === 0 || performance.now() - leastMs > 20_000;
    };
    await until(isSettled, 'what was left out is asked again', 180_000);
    const grown = megabytes(live) - memory;
    result.add(
      {
        awaySeconds: awayMs / 1000,
        segments: without,
        missing: output.missing,
        discontinuities: output.seams,
        longestWaitMs: Math.round(output.longestMs),
        textAgainSeconds: Number(again),
        withoutText: left,
        withoutTextInTheEnd: least,
        grownMb: Math.round(grown),
      },
      `provider away for ${awayMs / 1000} s: ${without} segments, ${output.missing} missing, ${output.seams} seams, the longest ` +
        `wait for one ${(output.longestMs / 1000).toFixed(1)} s; text again ${again} s after its return; ` +
        `${left} utterances without text then, ${least} in the end, ${grown.toFixed(0)} MB more`,
    );
  } finally {
    await publisher.stop('SIGKILL');
    await live.close();
    await provider.close();
  }
}

/** The WebVTT output as a player follows it. */
class Output {
  readonly #base: string;
  readonly #known = new Map<number, string>();
  segments = 0;
  withText = 0;
  missing = 0;
  seams = 0;
  longestMs = 0;
  #lastMs = performance.now();

  constructor(base: string, uuid: string) {
    this.#base = `${base}/webvtt/${uuid}/subtitles.m3u8`;
  }

  /** True if there was text. */
  async check(): Promise<boolean> {
    const answer = await fetch(this.#base);
    if (!answer.ok) return false;
    const list = await answer.text();
    const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(list)?.[1] ?? 0);
    const last = Math.max(...this.#known.keys());
    for (const [at, [uri]] of [...list.matchAll(/^\/.+\.vtt$/gm)].entries()) {
      const number = first + at;
      if (this.#known.has(number)) continue;
      this.#known.set(number, uri);
      this.segments += 1;
      if (Number.isFinite(last)) this.longestMs = Math.max(this.longestMs, performance.now() - this.#lastMs);
      this.#lastMs = performance.now();
      const text = await (await fetch(new URL(uri, this.#base))).text();
      if (text.includes('-->')) this.withText += 1;
    }
    if (Number.isFinite(last) && first > last + 1) this.missing += first - last - 1;
    this.seams = Math.max(this.seams, list.split('#EXT-X-DISCONTINUITY\n').length - 1);
    return this.withText > 0;
  }
}

/** Resident memory of the planes. */
function megabytes({ weir }: Live): number {
  const kilobytes = childrenOf(weir.process.pid ?? 0).map(
    (pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
  );
  return kilobytes.reduce<number>((sum, one) => sum + Number(one), 0) / 1024;
}
