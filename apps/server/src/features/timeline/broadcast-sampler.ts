import { type ActiveStream, type Diagnosis, type StreamMedia, viewerMilestones } from '@weir/contract';
import type { Log } from '@weir/plane';
import { placeText } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Running, Timeline } from '../../timeline-store/timeline.ts';

const lookMs = 2000;
/** A verdict is worked out so often at most, and of so many streams in one look. */
const judgeMs = 5000;
const mostJudged = 8;
/** Longer gaps between polls make the state in between unknown. */
const longestStepMs = 120_000;
const tidyMs = 600_000;

interface Context {
  readonly timeline: Timeline;
  readonly streams: { list(): Promise<ActiveStream[]> };
  /** Diagnosis of a stream. */
  readonly judge: (live: ActiveStream) => Promise<{ readonly diagnosis: Diagnosis }>;
  readonly clock: Clock;
  readonly log: Log;
}

const judgedVerdicts = ['good', 'ok', 'bad'] as const;
type Judged = (typeof judgedVerdicts)[number];

/** Observations of a broadcast. An observation counts once it was made twice in a row. */
interface Seen {
  form: string | undefined;
  /** Recorded state, cached to avoid a query every two seconds. */
  notedForm: string | undefined;
  /** With its issues, as it would be noted. */
  verdict: string;
  judged: Judged | undefined;
  peak: number;
  judgedMs: number;
}

/** Polls live streams and records changes without an event: forms, viewers, verdicts, and missed ends. */
export class BroadcastSampler {
  readonly #context: Context;
  readonly #seen = new Map<number, Seen>();

  constructor(context: Context) {
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { timeline, clock, log } = this.#context;
    let tidiedMs = clock.elapsedMs();
    while (!signal.aborted) {
      // While the engine is away there is nothing to see.
      if (timeline.running().length > 0)
        await this.look().catch((error) => log.debug({ err: error }, 'broadcasts could not be checked'));
      if (clock.elapsedMs() - tidiedMs > tidyMs) {
        tidiedMs = clock.elapsedMs();
        timeline.change((file) => file.tidy());
      }
      await clock.pause(lookMs, signal).catch(() => undefined);
    }
  }

  async look(): Promise<void> {
    const { timeline, streams, clock } = this.#context;
    const live = new Map((await streams.list()).map((each) => [placeText(each), each]));
    timeline.change((file) => file.seen(clock.dateMs()));
    const there: { broadcast: Running; live: ActiveStream }[] = [];
    for (const broadcast of timeline.running()) {
      const found = live.get(placeText(broadcast));
      const isOurs = found?.client_id === broadcast.client;
      if (found && isOurs) there.push({ broadcast, live: found });
      else if (!isOurs && broadcast.lastSeenMs !== undefined && !found) this.#vanished(broadcast, broadcast.lastSeenMs);
    }
    for (const { broadcast, live: each } of there) this.#observe(broadcast, each);
    await this.#judge(there);
    this.#forget();
  }

  /** Ends a broadcast that stopped while this process was down. */
  #vanished(broadcast: Running, lastSeenMs: number): void {
    const left = { what: 'publisher-left', facts: { reason: 'unseen' } } as const;
    this.#context.timeline.end(broadcast, broadcast.client, left, lastSeenMs);
  }

  #observe(broadcast: Running, { media }: ActiveStream): void {
    const { timeline } = this.#context;
    const seen = this.#of(broadcast.id);
    const facts = media && formOf(media);
    const form = JSON.stringify(facts);
    if (facts && form === seen.form && form !== seen.notedForm) {
      timeline.noteChange(broadcast, { what: 'format-changed', facts });
      seen.notedForm = form;
    }
    seen.form = form;
    const viewers = media?.viewers ?? 0;
    if (viewers <= seen.peak) return;
    timeline.change((file) => file.peak(broadcast.id, viewers));
    const reached = viewerMilestones.findLast((milestone) => viewers >= milestone);
    if (reached !== undefined && seen.peak < reached)
      timeline.note(broadcast, { what: 'viewers-reached', facts: { viewers: String(reached) } });
    seen.peak = viewers;
  }

  /** Least recently judged streams first, so that each gets its turn. */
  async #judge(there: readonly { broadcast: Running; live: ActiveStream }[]): Promise<void> {
    const nowMs = this.#context.clock.elapsedMs();
    const due = there
      .map((each) => ({ ...each, seen: this.#of(each.broadcast.id) }))
      .filter(({ seen }) => nowMs - seen.judgedMs >= judgeMs)
      .sort((a, b) => a.seen.judgedMs - b.seen.judgedMs)
      .slice(0, mostJudged);
    for (const { broadcast, live, seen } of due) {
      const { diagnosis } = await this.#context.judge(live);
      const stepMs = Math.min(nowMs - seen.judgedMs, longestStepMs);
      seen.judgedMs = nowMs;
      this.#judged(broadcast, seen, diagnosis, stepMs);
    }
  }

  #judged(broadcast: Running, seen: Seen, { verdict, issues }: Diagnosis, stepMs: number): void {
    const { timeline } = this.#context;
    if (verdict === 'none') return;
    const counted = milder(verdict, seen.judged);
    seen.judged = verdict;
    timeline.change((file) => file.judged(broadcast.id, counted, stepMs));
    const ids = [...new Set(issues.map(({ id }) => id))].sort().join(' ');
    const facts = { verdict, issues: ids };
    const text = JSON.stringify(facts);
    if (text === seen.verdict) timeline.noteChange(broadcast, { what: 'verdict-changed', facts });
    seen.verdict = text;
  }

  #of(id: number): Seen {
    const known = this.#seen.get(id);
    if (known) return known;
    const peak = this.#context.timeline.file.row(id)?.peak ?? 0;
    const seen: Seen = {
      form: '',
      notedForm: '',
      verdict: '',
      judged: undefined,
      peak,
      judgedMs: this.#context.clock.elapsedMs(),
    };
    this.#seen.set(id, seen);
    return seen;
  }

  #forget(): void {
    const running = new Set(this.#context.timeline.running().map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!running.has(id)) this.#seen.delete(id);
  }
}

/** The milder of two consecutive verdicts: one bad moment does not make a short broadcast bad. */
function milder(verdict: Judged, before: Judged = verdict): Judged {
  return judgedVerdicts.find((each) => each === verdict || each === before) ?? verdict;
}

/** Codecs, sizes and rates of a stream as texts; undefined until a track is known. */
function formOf({ video, audio }: StreamMedia): Readonly<Record<string, string>> | undefined {
  if (!video && !audio) return undefined;
  return {
    ...(video && {
      video: [video.codec, video.profile].filter((text) => text !== '').join(' '),
      size: `${video.width}×${video.height}`,
      ...(video.fps !== undefined && video.fps > 0 && { fps: String(Math.round(video.fps * 100) / 100) }),
    }),
    ...(audio && { audio: audio.codec, rate: String(audio.sampleRate), channels: String(audio.channels) }),
  };
}
