/** A sender's clock that differs this much from what arrives is wrong or a lie. */
const mostCorrectionMs = 10_000;
/** Largest change of speed while video is moved to its place. */
const slewRate = 0.5;
/** Arrival tells where a track belongs from its first packets; later, clocks that differ would tell as much of themselves. */
const arrivalCountsMs = 5000;

/** Offsets of one track, each added to its media times. */
interface Place {
  /** Makes it ours. */
  oursMs: number;
  /** When the packet arrived that was the least delayed, on its way or by a process that was busy when it came. */
  arrivalMs: number;
  /** Makes it the sender's wall clock; undefined until its first report. */
  senderMs: number | undefined;
}

type Kind = 'audio' | 'video';

/** Clock that the tracks of one sender share. */
export class SharedClock {
  readonly #places: { audio: Place | undefined; video: Place | undefined } = { audio: undefined, video: undefined };

  enter(kind: Kind, place: Place): void {
    this.#places[kind] = place;
  }

  /** Offset that puts a track in sync with the other one; undefined while unknown. */
  togetherMs(kind: Kind, place: Place): number | undefined {
    const other = this.#places[kind === 'audio' ? 'video' : 'audio'];
    if (!other) return undefined;
    const isBelievable = (targetMs: number) => Math.abs(targetMs - place.oursMs) <= mostCorrectionMs;
    if (place.senderMs !== undefined && other.senderMs !== undefined) {
      const reportedMs = other.oursMs + place.senderMs - other.senderMs;
      if (isBelievable(reportedMs)) return reportedMs;
    }
    const arrivedMs = other.oursMs + place.arrivalMs - other.arrivalMs;
    return isBelievable(arrivedMs) ? arrivedMs : undefined;
  }
}

interface SenderReport {
  readonly ntpMs: number;
  readonly rtpTimestamp: number;
}

/**
 * RTP timestamps of one track → milliseconds shared by all tracks of the sender. The first track is placed by the arrival of
 * its first packet, the second beside it: by both tracks' sender reports, and until there are any by the packets that
 * were the least delayed, as the first may be late by as long as this process took to begin. What turns out to be apart later is
 * put together by moving pictures, little by little, so that time never steps back. Sound never moves: one would hear it.
 */
export class SenderClock {
  readonly #kind: Kind;
  readonly #clockRate: number;
  readonly #shared: SharedClock;
  #place: Place | undefined;
  #early: SenderReport | undefined;
  #lastTimestamp = 0;
  /** The first and the last timestamp without the wrap at 32 bits. */
  #firstTicks = 0;
  #ticks = 0;

  constructor(kind: Kind, clockRate: number, shared: SharedClock) {
    this.#kind = kind;
    this.#clockRate = clockRate;
    this.#shared = shared;
  }

  toMs(timestamp: number, arrivalMs: number): number {
    const place = this.#place;
    if (!place) return this.#begin(timestamp, arrivalMs);
    const ticks = this.#unwrap(timestamp);
    const mediaMs = this.#msOf(ticks);
    const passedMs = mediaMs - this.#msOf(this.#ticks);
    this.#lastTimestamp = timestamp;
    this.#ticks = ticks;
    if (this.#msOf(ticks - this.#firstTicks) <= arrivalCountsMs) {
      place.arrivalMs = Math.min(place.arrivalMs, arrivalMs - mediaMs);
    }
    if (this.#kind === 'video' && passedMs > 0) this.#glide(place, passedMs * slewRate);
    return mediaMs + place.oursMs;
  }

  onSenderReport(ntpMs: number, rtpTimestamp: number): void {
    // A report that arrives while the first frame is being assembled: its meaning is known with that frame.
    if (this.#place) this.#place.senderMs = this.#senderMsOf({ ntpMs, rtpTimestamp });
    else this.#early = { ntpMs, rtpTimestamp };
  }

  #begin(timestamp: number, arrivedMs: number): number {
    this.#lastTimestamp = timestamp;
    this.#ticks = timestamp;
    this.#firstTicks = timestamp;
    const mediaMs = this.#msOf(timestamp);
    const arrivalMs = arrivedMs - mediaMs;
    const place: Place = { oursMs: arrivalMs, arrivalMs, senderMs: this.#early && this.#senderMsOf(this.#early) };
    place.oursMs = this.#shared.togetherMs(this.#kind, place) ?? arrivalMs;
    this.#shared.enter(this.#kind, place);
    this.#place = place;
    return mediaMs + place.oursMs;
  }

  #glide(place: Place, mostMs: number): void {
    const targetMs = this.#shared.togetherMs(this.#kind, place) ?? place.oursMs;
    const missingMs = targetMs - place.oursMs;
    place.oursMs += Math.sign(missingMs) * Math.min(Math.abs(missingMs), mostMs);
  }

  #senderMsOf({ ntpMs, rtpTimestamp }: SenderReport): number {
    return ntpMs - this.#msOf(this.#unwrap(rtpTimestamp));
  }

  #msOf(ticks: number): number {
    return (ticks * 1000) / this.#clockRate;
  }

  #unwrap(timestamp: number): number {
    return this.#ticks + ((timestamp - this.#lastTimestamp) | 0);
  }
}
