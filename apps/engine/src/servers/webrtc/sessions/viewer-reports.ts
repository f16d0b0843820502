import { type ReportBlock, toNtpMiddle, writeCname, writeSenderReport } from '@weir/media/rtp';
import type { SentTrack } from './sent-track.ts';

/** Often while a player gets to know our clock, or how long the way is that loses packets; then as often as it is kept in mind. */
const reportEveryMs = { often: 1000, else: 2000 } as const;
const earlyReports = 10;

/** The clock of the stream, on that of each track. */
interface TrackTicks {
  readonly video: number;
  readonly audio: number;
}

/** Sender reports to one viewer, and what its answers tell. */
export class ViewerReports {
  readonly #video: SentTrack | undefined;
  readonly #audio: SentTrack | undefined;
  readonly #cname: string;
  #sentMs = Number.NEGATIVE_INFINITY;
  #sent = 0;
  #roundTripMs = 0;
  #lostShare = 0;

  constructor(video: SentTrack | undefined, audio: SentTrack | undefined, cname: string) {
    this.#video = video;
    this.#audio = audio;
    this.#cname = cname;
  }

  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /** Loss between the last two reports, 0 to 1. */
  get lostShare(): number {
    return this.#lostShare;
  }

  isDue(isLossy: boolean, nowMs: number): boolean {
    const everyMs = isLossy || this.#sent < earlyReports ? reportEveryMs.often : reportEveryMs.else;
    return nowMs - this.#sentMs >= everyMs;
  }

  /** One datagram for both tracks; undefined when nothing was sent yet. */
  next(ticks: TrackTicks, nowMs: number): Buffer | undefined {
    const wallMs = Date.now();
    const known = [report(this.#video, wallMs, ticks.video), report(this.#audio, wallMs, ticks.audio)].filter(
      (one) => one !== undefined,
    );
    const ssrc = this.#video?.ssrc ?? this.#audio?.ssrc;
    if (known.length === 0 || ssrc === undefined) return undefined;
    this.#sentMs = nowMs;
    this.#sent += 1;
    return Buffer.concat([...known, writeCname(ssrc, this.#cname)]);
  }

  onReports(reports: readonly ReportBlock[], cameMs: number): void {
    // On the clock of the wall, as our reports are.
    const wallMs = Date.now() - (performance.now() - cameMs);
    for (const { ssrc, fractionLost, lastReport, sinceLastReport } of reports) {
      if (ssrc === (this.#video ?? this.#audio)?.ssrc) this.#lostShare = fractionLost / 256;
      if (lastReport === 0) continue;
      const roundTrip = ((toNtpMiddle(wallMs) - lastReport - sinceLastReport) | 0) / 65.536;
      if (roundTrip >= 0 && roundTrip < 60_000) this.#roundTripMs = roundTrip;
    }
  }
}

function report(track: SentTrack | undefined, wallMs: number, ticks: number): Buffer | undefined {
  if (!track || track.packets === 0) return undefined;
  const { ssrc, packets, octets } = track;
  return writeSenderReport({ ssrc, wallMs, rtpTimestamp: track.wireTime(Math.round(ticks)), packets, octets });
}
