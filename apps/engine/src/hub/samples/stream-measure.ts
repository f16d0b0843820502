import { type StreamSampleField, streamSampleFields, streamSampleFolds } from '@weir/streams';
import { countsAsViewer } from '../clients/client-info.ts';
import type { ClientEntry } from '../clients/clients.ts';
import type { Stream } from '../stream.ts';
import { SampleSeries } from './sample-series.ts';
import { SlowViewers } from './slow-viewers.ts';

const fieldAt = Object.fromEntries(streamSampleFields.map((field, index) => [field, index])) as Readonly<
  Record<StreamSampleField, number>
>;

/** Totals as they were when the last sample was taken. */
const counted = [
  'in',
  'out',
  'audio',
  'audioFrames',
  'silent',
  'frames',
  'jumps',
  'ahead',
  'aheadCount',
  'newest',
] as const;
type Counted = (typeof counted)[number];

/** Samples of the first moments of a publisher have no bitrate. */
const startBurstMs = 2500;

/** Measures a stream once a second from the difference of its totals and its clients. */
export class StreamMeasure {
  readonly series = new SampleSeries(streamSampleFolds);
  stream: Stream;
  /** When it was last published. */
  liveAt = 0;
  /** When the totals before were taken. */
  #sampledMs: number;
  readonly #row = new Float64Array(streamSampleFields.length);
  readonly #before: Record<Counted, number>;
  readonly #slow = new SlowViewers();
  #lost = 0;
  #received = 0;
  #viewerRtts = 0;
  #viewerLosses = 0;
  #viewersReporting = 0;

  constructor(stream: Stream, nowMs: number) {
    this.stream = stream;
    this.#sampledMs = nowMs;
    this.#before = totalsOf(stream, {} as Record<Counted, number>);
  }

  /** A new stream of the same name starts its counters at zero. */
  follow(stream: Stream, nowMs: number): void {
    if (stream === this.stream) return;
    this.stream = stream;
    this.#sampledMs = nowMs;
    totalsOf(stream, this.#before);
  }

  begin(): void {
    const row = this.#row;
    row.fill(0);
    row[fieldAt.rttMs] = Number.NaN;
    row[fieldAt.lossPercent] = Number.NaN;
    this.#viewerRtts = 0;
    this.#viewerLosses = 0;
    this.#viewersReporting = 0;
    this.#slow.begin();
  }

  /** Once for each client of the stream. */
  see(entry: ClientEntry): void {
    const { info, counters } = entry;
    if (info.kind.endsWith('-publish')) {
      this.#seePublisher(entry);
      return;
    }
    this.#more('dropped', counters.droppedFrames - entry.sampledDrops);
    entry.sampledDrops = counters.droppedFrames;
    if (!countsAsViewer(info)) return;
    this.#more(protocolOf(info.kind), 1);
    this.#slow.see(entry);
    // SRT statistics would need a call for each viewer.
    const facts = info.kind === 'rtc-play' ? entry.transport?.(true) : undefined;
    if (!facts) return;
    this.#viewersReporting += 1;
    this.#viewerRtts += facts.rttMs ?? 0;
    this.#viewerLosses += facts.lossPercent ?? 0;
  }

  #seePublisher({ transport }: ClientEntry): void {
    const facts = transport?.(true);
    if (!facts) return;
    const row = this.#row;
    row[fieldAt.rttMs] = facts.rttMs ?? Number.NaN;
    const lost = (facts.packetsLost ?? 0) - this.#lost;
    const received = (facts.packetsReceived ?? 0) - this.#received;
    this.#lost += lost;
    this.#received += received;
    // Counters restart with a new publisher. A late packet was counted as lost and reduces the loss.
    if (received > 0) row[fieldAt.lossPercent] = (Math.max(0, lost) * 100) / (Math.max(0, lost) + received);
  }

  /** Writes a sample of the last second; nothing for a stream without a publisher. */
  end(atMs: number, nowMs: number): void {
    this.series.pass(atMs);
    this.#slow.end();
    const seconds = (nowMs - this.#sampledMs) / 1000;
    this.#sampledMs = nowMs;
    if (this.stream.isLive && seconds > 0) this.#write(atMs, seconds);
    totalsOf(this.stream, this.#before);
  }

  #write(atMs: number, seconds: number): void {
    const row = this.#row;
    const before = this.#before;
    const { stats } = this.stream;
    const frames = stats.audioFrames - before.audioFrames;
    const aheads = stats.aheadCount - before.aheadCount;
    row[fieldAt.inKbps] = perSecondKbps(stats.bytesIn.total - before.in, seconds);
    row[fieldAt.outKbps] = perSecondKbps(stats.bytesOut.total - before.out, seconds);
    row[fieldAt.audioKbps] = perSecondKbps(stats.audioBytes - before.audio, seconds);
    row[fieldAt.fps] = (stats.videoFrames.total - before.frames) / seconds;
    row[fieldAt.keyframeMs] = Math.max(stats.keyframeIntervalMs, stats.sinceKeyframeMs);
    row[fieldAt.pace] = before.newest < 0 ? Number.NaN : Math.max(0, stats.newestMs - before.newest) / (seconds * 1000);
    row[fieldAt.avOffsetMs] = aheads > 0 ? (stats.aheadMs - before.ahead) / aheads : Number.NaN;
    row[fieldAt.jumps] = stats.jumps - before.jumps;
    row[fieldAt.silence] = frames > 0 ? (stats.silentFrames - before.silent) / frames : Number.NaN;
    const reporting = this.#viewersReporting;
    row[fieldAt.viewerRttMs] = reporting > 0 ? this.#viewerRtts / reporting : Number.NaN;
    row[fieldAt.viewerLossPercent] = reporting > 0 ? this.#viewerLosses / reporting : Number.NaN;
    row[fieldAt.slow] = this.#slow.count;
    row[fieldAt.behindMs] = this.#slow.worstMs;
    const inKbps = row[fieldAt.inKbps] ?? 0;
    // A publisher starts by sending buffered media, which says nothing about its rate.
    if (atMs - (this.stream.publishedAt?.getTime() ?? 0) < startBurstMs) row[fieldAt.inKbps] = Number.NaN;
    this.series.add(atMs, row);
    // The server did receive it.
    row[fieldAt.inKbps] = inKbps;
  }

  /** Value of the last written sample. */
  value(field: StreamSampleField): number {
    return this.#row[fieldAt[field]] ?? 0;
  }

  #more(field: StreamSampleField, amount: number): void {
    const at = fieldAt[field];
    this.#row[at] = (this.#row[at] ?? 0) + amount;
  }
}

function totalsOf({ stats }: Stream, into: Record<Counted, number>): Record<Counted, number> {
  into.in = stats.bytesIn.total;
  into.out = stats.bytesOut.total;
  into.audio = stats.audioBytes;
  into.audioFrames = stats.audioFrames;
  into.silent = stats.silentFrames;
  into.frames = stats.videoFrames.total;
  into.jumps = stats.jumps;
  into.ahead = stats.aheadMs;
  into.aheadCount = stats.aheadCount;
  into.newest = stats.newestMs;
  return into;
}

function perSecondKbps(bytes: number, seconds: number): number {
  return (bytes * 8) / 1000 / seconds;
}

function protocolOf(kind: ClientEntry['info']['kind']): 'rtc' | 'flv' | 'hls' | 'rtmp' | 'srt' {
  switch (kind) {
    case 'rtc-play':
      return 'rtc';
    case 'flv-play':
      return 'flv';
    case 'hls-play':
      return 'hls';
    case 'srt-play':
      return 'srt';
    default:
      return 'rtmp';
  }
}
