import type { ActiveStream, Diagnosis, StreamSamples } from '@weir/contract';
import { diagnoseStream } from '@weir/diagnose';
import type { ProgramStatus } from '@weir/engine-api';
import { placeText, streamLabel, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';

/** Limits of remembered streams, and of publisher starts for each. */
const mostStreams = 500;
const mostTimes = 10;
/** A verdict stands this long for everybody who has no newer samples. */
const sharedMs = 2000;
/** An issue that was seen within this time is taken as the same one. */
const sameIssueMs = 30_000;

interface Judged {
  readonly publisher: string;
  /** When the newest sample behind it was taken. */
  readonly newestMs: number;
  readonly atMs: number;
  readonly diagnosis: Diagnosis;
}

/** What others know of streams. */
interface Known {
  /** Streams that are silent because their owner chose it. */
  readonly silent: ReadonlySet<string>;
  readonly programs: readonly ProgramStatus[];
}

interface Context {
  readonly events: Events;
  readonly clock: Clock;
}

/**
 * Judges streams, by their samples and by how often their publishers came. The only place that does: overview, pages, alerts, lists and
 * reports ask here, and nobody is given an older verdict than somebody else already has.
 */
export class StreamDiagnosis {
  readonly #clock: Clock;
  readonly #published = new Map<string, number[]>();
  readonly #judged = new Map<string, Judged>();

  constructor({ events, clock }: Context) {
    this.#clock = clock;
    events.on('stream:published', (stream) => this.#note(stream));
  }

  of(live: ActiveStream | undefined, samples: StreamSamples, { silent, programs }: Known): Diagnosis {
    const atMs = this.#clock.dateMs();
    if (!live) return { verdict: 'none', issues: [] };
    const key = placeText(live);
    const newestMs = samples.at.at(-1) ?? 0;
    const known = this.#judged.get(key);
    const before = known?.publisher === live.client_id ? known : undefined;
    const ageMs = before ? atMs - before.atMs : Number.POSITIVE_INFINITY;
    if (before && newestMs <= before.newestMs && ageMs >= 0 && ageMs < sharedMs) return before.diagnosis;
    const found = diagnoseStream(samples, {
      nowMs: atMs,
      publishedAtMs: Date.parse(live.update) || atMs,
      media: live.media,
      announcedFps: live.media?.video?.fps ?? 0,
      isSilenceWanted: silent.has(streamLabel(live)),
      publishedMs: this.#published.get(key) ?? [],
      program: programs.find((program) => placeText(program) === key),
    });
    const diagnosis = ageMs < sameIssueMs ? dated(found, before?.diagnosis) : found;
    put(this.#judged, key, { publisher: live.client_id, newestMs, atMs, diagnosis });
    return diagnosis;
  }

  #note(place: WirePlace): void {
    const key = placeText(place);
    const times = this.#published.get(key) ?? [];
    put(this.#published, key, [...times, this.#clock.dateMs()].slice(-mostTimes));
  }
}

/** Rules look back some seconds only: what was wrong at the look before has been since then. */
function dated({ verdict, issues }: Diagnosis, before: Diagnosis | undefined): Diagnosis {
  const since = new Map(before?.issues.map((issue) => [issue.id, issue.since]));
  return {
    verdict,
    issues: issues.map((issue) => {
      const earlier = since.get(issue.id);
      return earlier !== undefined && earlier < issue.since ? { ...issue, since: earlier } : issue;
    }),
  };
}

/** The newest last; beyond the bound the oldest goes. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= mostStreams) break;
    map.delete(oldest);
  }
}
