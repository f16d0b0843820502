import { randomInt } from 'node:crypto';
import { isRtcp, parseRtcp, type TransportFeedback } from '@weir/media/rtp';
import type { ClientCounters } from '../../../hub/clients/client-info.ts';
import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';
import type { PacketRing } from '../../../packagers/rtp/packet-ring.ts';
import type { RtpPackager, RtpReceiver } from '../../../packagers/rtp/rtp-packager.ts';
import type { RtcTransport } from '../transport/rtc-transport.ts';
import { CongestionControl } from './congestion/congestion-control.ts';
import type { LineFigures } from './congestion/delay-trend.ts';
import { KeyframeSender } from './congestion/keyframe-sender.ts';
import { PlayoutDelay } from './congestion/playout-delay.ts';
import { PacketSender, type PictureExtras } from './packet-sender.ts';
import { firstRung, QualityChoice } from './qualities/quality-choice.ts';
import { QualityReader } from './qualities/quality-reader.ts';
import type { ViewerQualities } from './qualities/viewer-qualities.ts';
import { SentTrack } from './sent-track.ts';
import { ViewerReports } from './viewer-reports.ts';

/** Times of the pictures before the newest one are pressed together, so that a viewer starts at live and not behind it. */
const catchUpTicks = 90;
/** All pictures that are sent once more fit between the newest and the one after it. */
const againTicks = 1000;
const againEveryMs = 2000;
const mostAgainPackets = 2000;
/** Lost packets sent again: so many at once, and so many a second. A link that loses more is not helped by more. */
const repairBurst = 400;
const repairsPerMs = 0.6;
/** A keyframe of the quality that fits, on top of the cached group of a lower one, would freeze the video. */
const settleMs = 500;
/** Rate of packets that are repeated to try a better quality. */
const leastProbeKbps = 100;
/** Losses from which on the length of the way matters. */
const lossyShare = 0.01;

/** Pictures as this viewer gets them. */
export interface SentVideo extends PictureExtras {
  readonly payloadType: number;
  readonly ssrc: number;
}

interface Options {
  readonly packager: RtpPackager;
  /** Absent: the stream has one quality. */
  readonly qualities?: ViewerQualities;
  readonly transport: Pick<RtcTransport, 'sendRtp' | 'sendRtcp'>;
  readonly video: SentVideo | undefined;
  readonly audio: { readonly payloadType: number; readonly ssrc: number } | undefined;
  readonly cname: string;
  readonly counters: ClientCounters;
  /** False when the publisher is not one who can be asked. */
  readonly requestKeyframe: () => boolean;
  readonly onOver: () => void;
}

/** One viewer by WebRTC: where it stands in the stream, and its own numbering of what it gets. */
export class WebRtcViewer implements RtpReceiver {
  readonly #options: Options;
  readonly #sender: PacketSender;
  readonly #video: SentTrack | undefined;
  readonly #audio: SentTrack | undefined;
  readonly #congestion = new CongestionControl();
  readonly #delay = new PlayoutDelay();
  readonly #reports: ViewerReports;
  /** Set for viewers with transport feedback and a retransmission stream. */
  readonly #keyframes: KeyframeSender | undefined;
  #place = 0;
  #needsKeyframe = true;
  /** Pictures that were there before: which, and the times they get. */
  #cached = { first: 0, last: -1, timestamp: 0, step: 0 };
  #joinPlace = 0;
  /** The keyframe that was sent last. */
  #keyframe = -1;
  readonly #choice: QualityChoice | undefined;
  /** The quality that is sent; undefined for the stream itself. */
  #lower: QualityReader | undefined;
  /** Quality that is sent from its next keyframe on, or from one after a while. */
  #next: { readonly reader: QualityReader | undefined; readonly notBeforeMs: number } | undefined;
  /** Newest time of the video that was sent. */
  #sentTimestamp = 0;
  #isStarted = false;
  #againMs = Number.NEGATIVE_INFINITY;
  #repairs = repairBurst;
  #repairsMs = 0;
  #repaired = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#video = options.video && new SentTrack(options.video, randomInt(2 ** 15), randomInt(2 ** 31));
    this.#audio = options.audio && new SentTrack(options.audio, randomInt(2 ** 15), randomInt(2 ** 31));
    this.#reports = new ViewerReports(this.#video, this.#audio, options.cname);
    this.#sender = new PacketSender(options.transport, options.video ?? {});
    if (this.#video && options.video?.repair && options.video.transportNumber !== undefined)
      this.#keyframes = new KeyframeSender(this.#sender, this.#video);
    if (this.#keyframes && options.qualities?.pinned === undefined) this.#choice = new QualityChoice(performance.now());
    // Before it is connected: what must be converted for it is on its way meanwhile.
    options.packager.add(this);
  }

  /** Statistics for the API. */
  get facts(): Readonly<Record<string, number>> {
    return {
      rttMs: Math.round(this.#reports.roundTripMs * 10) / 10,
      packetsSent: (this.#video?.packets ?? 0) + (this.#audio?.packets ?? 0),
      packetsRetransmitted: this.#repaired,
      lossPercent: Math.round(this.#reports.lostShare * 1000) / 10,
      ...(this.#congestion.isThin ? { keyframesOnly: 1 } : {}),
      ...(this.#lower ? { qualityLines: Number.parseInt(this.#lower.name, 10) } : {}),
      ...(this.#sender.lineKbps > 0 ? { lineKbps: this.#sender.lineKbps } : {}),
    };
  }

  /** The connection stands: begin with the newest keyframe there is. */
  start(): void {
    const { requestKeyframe } = this.#options;
    this.#isStarted = true;
    this.#chooseFirst();
    const packager = this.#packager;
    const { ring, newest } = packager;
    const first = this.#goToEntry(ring);
    const timestamp = newest.timestamp - (newest.picture - first) * catchUpTicks;
    this.#cached = { first, last: newest.picture, timestamp, step: catchUpTicks };
    if (this.#video && ring.entry === undefined) requestKeyframe();
    packager.wake();
    this.tick(performance.now());
  }

  stop(): void {
    this.#isStarted = false;
    this.#next?.reader?.close();
    this.#lower?.close();
    this.#options.packager.remove(this);
  }

  /** Packets of the video that is sent. */
  get #packager(): RtpPackager {
    return this.#lower?.packager ?? this.#options.packager;
  }

  onOver(): void {
    this.#options.onOver();
  }

  pump(ring: PacketRing, mostPackets: number, nowMs: number): boolean {
    if (!this.#isStarted) return false;
    if (this.#lower) return this.#pumpAudio(ring, nowMs);
    if (this.#keyframes && this.#congestion.isThin) return this.#pumpThin(ring, this.#keyframes, nowMs);
    const { end } = ring;
    if (this.#place >= end) return false;
    let bytes = 0;
    let sent = 0;
    const most = Math.min(mostPackets, this.#sender.packetsPerTurn);
    if (this.#place < ring.start) this.#skip(ring);
    for (; this.#place < end && sent < most; this.#place++) {
      const packet = ring.at(this.#place);
      if (!packet || !this.#isWanted(packet)) continue;
      const track = packet.isVideo ? this.#video : this.#audio;
      if (!track) continue;
      bytes += this.#sender.send(packet, track, track.next(packet), this.#timeOf(packet, track), nowMs);
      track.count(packet.payload.length - packet.padding);
      if (packet.isVideo) this.#noteVideo(packet, nowMs);
      sent += 1;
    }
    this.#options.counters.bytesOut += bytes;
    return this.#place < end;
  }

  #noteVideo({ isEntry, picture, payload, timestamp }: OutPacket, nowMs: number): void {
    if (timestamp > this.#sentTimestamp) this.#sentTimestamp = timestamp;
    if (isEntry) this.#keyframe = picture;
    if (picture === this.#keyframe || picture <= this.#cached.last) this.#sender.noteBurst(payload.length, nowMs);
  }

  /** Of the stream itself while the video is of a lower quality, until the keyframe with which the best one takes over. */
  #pumpAudio(ring: PacketRing, nowMs: number): boolean {
    let bytes = 0;
    if (this.#place < ring.start) this.#place = ring.start;
    for (; this.#place < ring.end; this.#place++) {
      const packet = ring.at(this.#place);
      const isUp = packet?.isEntry && this.#next && !this.#next.reader && nowMs >= this.#next.notBeforeMs;
      if (isUp) {
        // What is left of the lower quality from before goes first.
        if (this.#isBehind(packet.timestamp)) return true;
        this.#changeTo(undefined, ring, this.#place, nowMs);
        break;
      }
      if (!packet || packet.isVideo || !this.#audio || this.#place < this.#joinPlace) continue;
      bytes += this.#sendAudio(packet, this.#audio, nowMs);
    }
    this.#options.counters.bytesOut += bytes;
    return !this.#lower;
  }

  #sendAudio(packet: OutPacket, audio: SentTrack, nowMs: number): number {
    audio.count(packet.payload.length);
    return this.#sender.send(packet, audio, audio.next(packet), audio.wireTime(packet.timestamp), nowMs);
  }

  pumpLower(reader: QualityReader, ring: PacketRing, mostPackets: number, nowMs: number): boolean {
    if (!this.#isStarted) return false;
    if (reader !== this.#lower) {
      this.#awaitKeyframe(reader, ring, nowMs);
      return false;
    }
    const { keyframes, isThin } = { keyframes: this.#keyframes, isThin: this.#congestion.isThin };
    if (keyframes && isThin) return this.#pumpThinLower(reader, ring, keyframes, nowMs);
    if (reader.place < ring.start) {
      this.#options.counters.droppedFrames += 1;
      reader.place = Math.max(ring.entry ?? ring.end, ring.start);
      this.#needsKeyframe = true;
    }
    const most = Math.min(mostPackets, this.#sender.packetsPerTurn);
    let bytes = 0;
    for (let sent = 0; reader.place < ring.end && sent < most; reader.place++) {
      const packet = ring.at(reader.place);
      if (!packet?.isVideo || !this.#video || !this.#isWanted(packet)) continue;
      const track = this.#video;
      bytes += this.#sender.send(packet, track, track.next(packet), this.#timeOf(packet, track), nowMs);
      track.count(packet.payload.length - packet.padding);
      this.#noteVideo(packet, nowMs);
      sent += 1;
    }
    bytes += this.#probe(ring, nowMs);
    this.#options.counters.bytesOut += bytes;
    return reader.place < ring.end || this.#isProbing(nowMs);
  }

  /** The quality ended or pauses: the best there is takes its place. */
  onLowerOver(reader: QualityReader): void {
    const nowMs = performance.now();
    if (this.#next?.reader === reader) this.#next = undefined;
    if (this.#lower !== reader) return;
    const { ring } = this.#options.packager;
    this.#changeTo(undefined, ring, ring.entry ?? ring.end, nowMs);
    if (ring.entry === undefined) this.#options.requestKeyframe();
    this.#options.packager.wake();
  }

  #isProbing(nowMs: number): boolean {
    return (this.#choice?.probeKbps(nowMs) ?? 0) > 0;
  }

  /** Repeats recent packets, to find out whether the line carries a better quality. */
  #probe(ring: PacketRing, nowMs: number): number {
    const kbps = this.#choice?.probeKbps(nowMs) ?? 0;
    if (kbps === 0 || !this.#keyframes) return 0;
    return this.#keyframes.send(ring, Math.max(leastProbeKbps, kbps - this.#packager.videoKbps), true, nowMs);
  }

  /** True while packets of the quality that is sent are waiting from before this time. */
  #isBehind(timestamp: number): boolean {
    const { ring } = this.#packager;
    const place = this.#lower?.place ?? this.#place;
    for (let at = Math.max(place, ring.start); at < ring.end; at++) {
      const packet = ring.at(at);
      if (packet?.isVideo) return packet.timestamp < timestamp;
    }
    return false;
  }

  #awaitKeyframe(reader: QualityReader, ring: PacketRing, nowMs: number): void {
    const next = this.#next;
    if (next?.reader !== reader) return;
    for (reader.place = Math.max(reader.place, ring.start); reader.place < ring.end; reader.place++) {
      const packet = ring.at(reader.place);
      if (!packet?.isEntry || nowMs < next.notBeforeMs) continue;
      this.#changeTo(reader, ring, reader.place, nowMs);
      reader.packager.wake();
      return;
    }
  }

  /** From the keyframe at this place on. Pictures that the viewer has seen already in another quality pass in a moment. */
  #changeTo(reader: QualityReader | undefined, ring: PacketRing, place: number, nowMs: number): void {
    const former = this.#lower;
    this.#video?.breakOff();
    this.#needsKeyframe = true;
    const first = ring.at(place)?.picture ?? 0;
    let last = first - 1;
    for (let at = place; at < ring.end; at++) {
      const packet = ring.at(at);
      if (packet?.isVideo && packet.timestamp <= this.#sentTimestamp) last = packet.picture;
    }
    const step = Math.max(1, Math.floor(againTicks / (last - first + 2)));
    this.#cached = { first, last, timestamp: this.#sentTimestamp + step, step };
    this.#lower = reader;
    if (reader) reader.place = place;
    else {
      // Audio up to here was sent.
      this.#joinPlace = Math.max(this.#joinPlace, this.#place);
      this.#place = place;
    }
    if (former !== reader) former?.close();
    if (this.#next?.reader === reader) this.#next = undefined;
    this.#choice?.onChanged(reader === undefined || isBetter(reader.name, former?.name), nowMs);
  }

  /** What most lines carry, or what was asked for. */
  #chooseFirst(): void {
    const { qualities } = this.#options;
    const names = qualities?.names ?? [''];
    if (!qualities || !this.#video || names.length < 2) return;
    const { pinned } = qualities;
    const name = pinned ?? (this.#choice ? names[firstRung(qualities.rungs(names))] : '');
    this.#lower = this.#readerOf(name ?? '');
  }

  #readerOf(name: string): QualityReader | undefined {
    const packager = name === '' ? undefined : this.#options.qualities?.packagerOf(name);
    return packager && new QualityReader(this, name, packager);
  }

  /** False when the line carries what is sent, or nothing less can be sent. */
  #chooseQuality(figures: LineFigures, nowMs: number): boolean {
    const { qualities } = this.#options;
    const choice = this.#choice;
    const names = qualities?.names ?? [];
    if (!qualities || !choice || names.length < 2) return false;
    const current = Math.max(0, names.indexOf(this.#lower?.name ?? ''));
    const rungs = qualities.rungs(names);
    const step = choice.onFigures(figures, this.#sender.explainedMs(nowMs), { rungs, current }, nowMs);
    if (step) {
      this.#goDown(names[step.atOnce] ?? '', names[step.later] ?? '', nowMs);
      return true;
    }
    if (choice.mayGoUp && !this.#next) this.#plan(names[current - 1] ?? '', nowMs);
    if (!this.#next && choice.poll(rungs, current, nowMs)) {
      this.#keyframes?.reset(nowMs);
      this.#packager.wake();
    }
    return current < names.length - 1 || choice.isSettling(nowMs);
  }

  #goDown(atOnce: string, then: string, nowMs: number): void {
    this.#next?.reader?.close();
    this.#next = undefined;
    this.#options.counters.droppedFrames += 1;
    const reader = this.#readerOf(atOnce);
    const entry = reader?.packager.ring.entry;
    if (!reader) return;
    if (entry === undefined) {
      this.#next = { reader, notBeforeMs: nowMs };
      this.#options.requestKeyframe();
      return;
    }
    this.#changeTo(reader, reader.packager.ring, entry, nowMs);
    if (then !== atOnce) this.#plan(then, nowMs + settleMs);
    reader.packager.wake();
  }

  /** Changes at the next keyframe of this quality. */
  #plan(name: string, notBeforeMs: number): void {
    const reader = this.#readerOf(name);
    if (name !== '' && !reader) return;
    if (reader) reader.place = reader.packager.ring.end;
    this.#next = { reader, notBeforeMs };
    this.#options.requestKeyframe();
  }

  /** Audio at once, and of the video keyframes as far as they fit. */
  #pumpThin(ring: PacketRing, keyframes: KeyframeSender, nowMs: number): boolean {
    let bytes = 0;
    if (this.#place < ring.start) this.#place = ring.start;
    for (; this.#place < ring.end; this.#place++) {
      const packet = ring.at(this.#place);
      if (packet?.isEntry && this.#congestion.hasRoom) {
        this.#congestion.leave(nowMs);
        this.#needsKeyframe = true;
        break;
      }
      if (packet?.isEntry) keyframes.onEntry(this.#place);
      if (!packet || packet.isVideo || !this.#audio || this.#place < this.#joinPlace) continue;
      bytes += this.#sendAudio(packet, this.#audio, nowMs);
    }
    this.#options.counters.bytesOut += bytes;
    return this.#sendThin(ring, keyframes, nowMs);
  }

  #pumpThinLower(reader: QualityReader, ring: PacketRing, keyframes: KeyframeSender, nowMs: number): boolean {
    for (reader.place = Math.max(reader.place, ring.start); reader.place < ring.end; reader.place++) {
      if (!ring.at(reader.place)?.isEntry) continue;
      if (this.#congestion.hasRoom) {
        this.#congestion.leave(nowMs);
        this.#needsKeyframe = true;
        break;
      }
      keyframes.onEntry(reader.place);
    }
    return this.#sendThin(ring, keyframes, nowMs);
  }

  #sendThin(ring: PacketRing, keyframes: KeyframeSender, nowMs: number): boolean {
    if (this.#congestion.isThin) {
      this.#congestion.poll(this.#packager.videoKbps, nowMs);
      const paceKbps = this.#congestion.paceKbps(nowMs);
      this.#options.counters.bytesOut += keyframes.send(ring, paceKbps, this.#congestion.isTrying, nowMs);
    }
    return !this.#congestion.isThin || this.#congestion.isTrying || keyframes.isWaiting;
  }

  #onFeedback(feedback: TransportFeedback, nowMs: number): void {
    const figures = this.#sender.onFeedback(feedback, nowMs);
    if (!figures || !this.#keyframes) return;
    this.#delay.onRoundTrip(this.#reports.roundTripMs, figures.queueMs);
    this.#delay.onLost(figures.lostShare, nowMs);
    this.#sender.setPlayoutDelay(this.#delay.at(nowMs));
    const wasThin = this.#congestion.isThin;
    if (!wasThin && this.#chooseQuality(figures, nowMs)) return;
    this.#congestion.onFigures(figures, this.#sender.explainedMs(nowMs), this.#packager.videoKbps, nowMs);
    if (this.#congestion.isThin === wasThin) return;
    this.#keyframes.reset(nowMs);
    this.#options.counters.droppedFrames += 1;
  }

  onPacket(bytes: Buffer, cameMs: number): void {
    this.#options.counters.bytesIn += bytes.length;
    if (!isRtcp(bytes)) return;
    for (const packet of parseRtcp(bytes)) {
      if (packet.type === 'nack') this.#repair(packet.mediaSsrc, packet.sequences, cameMs);
      else if (packet.type === 'keyframe-request') this.#onKeyframeRequest(cameMs);
      else if (packet.type === 'transport-feedback') this.#onFeedback(packet, cameMs);
      else if (packet.type === 'receiver-report' || packet.type === 'sender-report')
        this.#reports.onReports(packet.reports, cameMs);
    }
  }

  /** Sender reports. */
  tick(nowMs: number): void {
    const { packager, transport } = this.#options;
    if (!this.#isStarted || !this.#reports.isDue(this.#delay.lostShare > lossyShare, nowMs)) return;
    const streamMs = packager.clock.at(nowMs);
    if (streamMs === undefined) return;
    const report = this.#reports.next({ video: streamMs * 90, audio: packager.audioTicksAt(streamMs) }, nowMs);
    if (report) transport.sendRtcp(report);
  }

  #isWanted({ isVideo, isEntry }: OutPacket): boolean {
    // Sound that was cached is over.
    if (!isVideo) return this.#place >= this.#joinPlace;
    if (this.#needsKeyframe && !isEntry) return false;
    this.#needsKeyframe = false;
    return true;
  }

  #timeOf({ isVideo, picture, timestamp }: OutPacket, track: SentTrack): number {
    const { first, last, timestamp: start, step } = this.#cached;
    if (!isVideo || picture > last || picture < first) return track.wireTime(timestamp);
    return track.wireTime(start + (picture - first) * step);
  }

  /** Stands before the newest keyframe, or before what comes next; tells the count of the picture there. */
  #goToEntry(ring: PacketRing): number {
    this.#video?.breakOff();
    const place = ring.entry ?? ring.end;
    if (this.#lower) {
      this.#lower.place = place;
      this.#place = Math.max(this.#place, this.#options.packager.ring.end);
    } else this.#place = place;
    this.#joinPlace = this.#options.packager.ring.end;
    this.#needsKeyframe = true;
    return ring.at(place)?.picture ?? this.#packager.newest.picture + 1;
  }

  /** The viewer cannot decode. An RTMP publisher cannot be asked for a keyframe, so the last one is sent again. */
  #onKeyframeRequest(nowMs: number): void {
    // Thinned viewers get keyframes only, so the next one is on its way anyway.
    if (this.#congestion.isThin) return;
    const { requestKeyframe } = this.#options;
    const packager = this.#packager;
    const { ring, newest } = packager;
    if (requestKeyframe() || ring.entry === undefined || ring.end - ring.entry > mostAgainPackets) return;
    if (!this.#isStarted || nowMs - this.#againMs < againEveryMs) return;
    this.#againMs = nowMs;
    const first = this.#goToEntry(ring);
    const step = Math.max(1, Math.floor(againTicks / (newest.picture - first + 2)));
    this.#cached = { first, last: newest.picture, timestamp: newest.timestamp + step, step };
    packager.wake();
  }

  /** Skips ahead when the packets it needs are gone. */
  #skip(ring: PacketRing): void {
    this.#options.counters.droppedFrames += 1;
    this.#place = Math.max(ring.entry ?? ring.end, ring.start);
    this.#needsKeyframe = true;
    if (ring.entry === undefined) this.#options.requestKeyframe();
  }

  #repair(mediaSsrc: number, sequences: readonly number[], nowMs: number): void {
    const track = [this.#video, this.#audio].find((one) => one?.ssrc === mediaSsrc);
    if (!track) return;
    if (track === this.#video && this.#congestion.isThin) {
      for (const wire of sequences) this.#keyframes?.repair(wire);
      return;
    }
    this.#repairs = Math.min(repairBurst, this.#repairs + (nowMs - this.#repairsMs) * repairsPerMs);
    this.#repairsMs = nowMs;
    for (const wire of sequences) {
      if (this.#repairs < 1) return;
      const sequence = track.sequenceOf(wire);
      const { ring: sounds } = this.#options.packager;
      const packet = track === this.#video ? this.#packager.ring.video(sequence) : sounds.audio(sequence);
      if (!packet) continue;
      this.#repairs -= 1;
      this.#repaired += 1;
      const timestamp = this.#timeOf(packet, track);
      this.#options.counters.bytesOut += this.#sender.sendAgain(packet, track, wire, timestamp, nowMs);
    }
  }
}

/** Better than the quality before, of which the stream itself has no name. */
function isBetter(name: string, before: string | undefined): boolean {
  return before !== undefined && Number.parseInt(name, 10) > Number.parseInt(before, 10);
}
