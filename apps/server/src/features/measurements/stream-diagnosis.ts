import type { ActiveStream, Diagnosis, StreamSamples } from '@weir/contract';
import { diagnoseStream } from '@weir/diagnose';
import { placeText, streamLabel, type WirePlace } from '@weir/dialect';
import type { Clock } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';

/** Limits of remembered streams, and of publisher starts for each. */
const mostStreams = 500;
const mostTimes = 10;

interface Context {
  readonly events: Events;
  readonly clock: Clock;
}

/** Judges streams, by their samples and by how often their publishers came. */
export class StreamDiagnosis {
  readonly #clock: Clock;
  readonly #published = new Map<string, number[]>();

  constructor({ events, clock }: Context) {
    this.#clock = clock;
    events.on('stream:published', (stream) => this.#note(stream));
  }

  /** `silent`: the streams that are so because their owner chose it. */
  of(live: ActiveStream | undefined, samples: StreamSamples, silent: ReadonlySet<string>): Diagnosis {
    const nowMs = this.#clock.dateMs();
    return diagnoseStream(samples, {
      nowMs,
      publishedAtMs: live && (Date.parse(live.update) || nowMs),
      media: live?.media,
      announcedFps: live?.media?.video?.fps ?? 0,
      isSilenceWanted: live !== undefined && silent.has(streamLabel(live)),
      publishedMs: live ? (this.#published.get(placeText(live)) ?? []) : [],
    });
  }

  #note(place: WirePlace): void {
    const key = placeText(place);
    const times = this.#published.get(key) ?? [];
    this.#published.delete(key);
    this.#published.set(key, [...times, this.#clock.dateMs()].slice(-mostTimes));
    for (const oldest of this.#published.keys()) {
      if (this.#published.size <= mostStreams) break;
      this.#published.delete(oldest);
    }
  }
}
