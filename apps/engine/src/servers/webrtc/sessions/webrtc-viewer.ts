import { randomInt } from 'node:crypto';
import { isRtcp, parseRtcp, type TransportFeedback } from '@weir/media/rtp';
import type { ClientCounters } from '../../../hub/clients/client-info.ts';
import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';
import type { PacketRing } from '../../../packagers/rtp/packet-ring.ts';
import type { RtpPackager, RtpReceiver } from '../../../packagers/rtp/rtp-packager.ts';
import type { RtcTransport } from '../transport/rtc-transport.ts';
import { CongestionControl } from './congestion/congestion-control.ts';
import { KeyframeSender } from './congestion/keyframe-sender.ts';
import { PlayoutDelay } from './congestion/playout-delay.ts';
import { PacketSender, type PictureExtras } from './packet-sender.ts';
import { QualitySwitch } from './qualities/quality-switch.ts';
import type { ViewerQualities } from './qualities/viewer-qualities.ts';
import { SentTrack } from './sent-track.ts';
import { VideoPosition } from './video-position.ts';
import { ViewerReports } from './viewer-reports.ts';

/** Distance between the timestamps of cached pictures for a new viewer: so short that it starts at the live edge. */
const catchUpTicks = 90;
const againEveryMs = 2000;
const mostAgainPackets = 2000;
/** Limits of retransmissions, at once and per millisecond. More would not help a line that loses more. */
const repairBurst = 400;
const repairsPerMs = 0.6;
/** Share of lost packets from which the round trip time is measured more often. */
const lossyShare = 0.01;

/** Video track of this viewer. */
export interface SentVideo extends PictureExtras {
  readonly payloadType: number;
  readonly ssrc: number;
}

interface Options {
  readonly packager: RtpPackager;
  /** Absent if the stream has one quality. */
  readonly qualities?: ViewerQualities;
  readonly transport: Pick<RtcTransport, 'sendRtp' | 'sendRtcp'>;
  readonly video: SentVideo | undefined;
  readonly audio: { readonly payloadType: number; readonly ssrc: number } | undefined;
  readonly cname: string;
  readonly counters: ClientCounters;
  /** Returns false if the publisher cannot be asked for keyframes. */
  readonly requestKeyframe: () => boolean;
  readonly onOver: () => void;
}

/** One WebRTC viewer: its position in the stream and its own packet numbering. */
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
  readonly #position = new VideoPosition();
  #joinPlace = 0;
  readonly #switch: QualitySwitch | undefined;
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
    this.#switch = this.#video && options.qualities && this.#newSwitch(this.#video, options.qualities);
    // Prepares a viewer before it is connected, so that conversion starts meanwhile.
    options.packager.add(this);
  }

  /** Statistics for the API. */
  get facts(): Readonly<Record<string, number>> {
    const lower = this.#switch?.lower;
    return {
      rttMs: Math.round(this.#reports.roundTripMs * 10) / 10,
      packetsSent: (this.#video?.packets ?? 0) + (this.#audio?.packets ?? 0),
      packetsRetransmitted: this.#repaired,
      lossPercent: Math.round(this.#reports.lostShare * 1000) / 10,
      ...(this.#congestion.isThin ? { keyframesOnly: 1 } : {}),
      ...(lower ? { qualityLines: Number.parseInt(lower.name, 10) } : {}),
      ...(this.#sender.lineKbps > 0 ? { lineKbps: this.#sender.lineKbps } : {}),
    };
  }

  /** Called when the connection is established. Begins with the newest keyframe. */
  start(): void {
    const { requestKeyframe } = this.#options;
    this.#isStarted = true;
    this.#switch?.begin();
    const packager = this.#packager;
    const { ring, newest } = packager;
    const first = this.#goToEntry(ring);
    const timestamp = newest.timestamp - (newest.picture - first) * catchUpTicks;
    this.#position.press(first, newest.picture, timestamp, catchUpTicks);
    if (this.#video && ring.entry === undefined) requestKeyframe();
    packager.wake();
    this.tick(performance.now());
  }

  /** Sends this quality only; empty for the best, undefined to let the line decide. */
  chooseQuality(name: string | undefined): void {
    this.#switch?.choose(name, performance.now());
  }

  stop(): void {
    this.#isStarted = false;
    this.#switch?.close();
    this.#options.packager.remove(this);
  }

  /** Packets of the video that is sent. */
  get #packager(): RtpPackager {
    return this.#switch?.lower?.packager ?? this.#options.packager;
  }

  onOver(): void {
    this.#options.onOver();
  }

  pump(ring: PacketRing, mostPackets: number, nowMs: number): boolean {
    if (!this.#isStarted) return false;
    if (this.#switch?.lower) return this.#pumpAudio(ring, this.#switch, nowMs);
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
      bytes += this.#sender.send(packet, track, track.next(packet), this.#position.timeOf(packet, track), nowMs);
      track.count(packet.payload.length - packet.padding);
      if (packet.isVideo && this.#position.onSent(packet)) this.#sender.noteBurst(packet.payload.length, nowMs);
      sent += 1;
    }
    this.#options.counters.bytesOut += bytes;
    return this.#place < end;
  }

  /** Sends the audio of the stream itself while the video is of a lower quality, until the keyframe with which the best one takes over. */
  #pumpAudio(ring: PacketRing, qualities: QualitySwitch, nowMs: number): boolean {
    let bytes = 0;
    if (this.#place < ring.start) this.#place = ring.start;
    for (; this.#place < ring.end; this.#place++) {
      const packet = ring.at(this.#place);
      const turn = packet?.isEntry ? qualities.atLeadKeyframe(ring, this.#place, nowMs) : undefined;
      if (turn !== undefined) {
        this.#options.counters.bytesOut += bytes;
        return true;
      }
      if (!packet || packet.isVideo || !this.#audio || this.#place < this.#joinPlace) continue;
      bytes += this.#sendAudio(packet, this.#audio, nowMs);
    }
    this.#options.counters.bytesOut += bytes;
    return false;
  }

  #sendAudio(packet: OutPacket, audio: SentTrack, nowMs: number): number {
    audio.count(packet.payload.length);
    return this.#sender.send(packet, audio, audio.next(packet), audio.wireTime(packet.timestamp), nowMs);
  }

  #newSwitch(track: SentTrack, qualities: ViewerQualities): QualitySwitch {
    const { packager: lead, counters, requestKeyframe } = this.#options;
    return new QualitySwitch({
      qualities,
      track,
      position: this.#position,
      sender: this.#sender,
      keyframes: this.#keyframes,
      congestion: this.#congestion,
      counters,
      lead,
      requestKeyframe,
      onLead: (place) => {
        // Audio before this place was already sent.
        this.#joinPlace = Math.max(this.#joinPlace, this.#place);
        this.#place = place;
      },
    });
  }

  /** Sends all audio, and keyframes at a rate that the line carries. */
  #pumpThin(ring: PacketRing, keyframes: KeyframeSender, nowMs: number): boolean {
    const { videoKbps } = this.#options.packager;
    let bytes = 0;
    if (this.#place < ring.start) this.#place = ring.start;
    for (; this.#place < ring.end; this.#place++) {
      const packet = ring.at(this.#place);
      if (packet?.isEntry && this.#congestion.hasRoom) {
        this.#congestion.leave(nowMs);
        this.#position.needsKeyframe = true;
        break;
      }
      if (packet?.isEntry) keyframes.onEntry(this.#place);
      if (!packet || packet.isVideo || !this.#audio || this.#place < this.#joinPlace) continue;
      bytes += this.#sendAudio(packet, this.#audio, nowMs);
    }
    if (this.#congestion.isThin) {
      this.#congestion.poll(videoKbps, nowMs);
      bytes += keyframes.send(ring, this.#congestion.paceKbps(nowMs), this.#congestion.isTrying, nowMs);
    }
    this.#options.counters.bytesOut += bytes;
    return !this.#congestion.isThin || this.#congestion.isTrying || keyframes.isWaiting;
  }

  #onFeedback(feedback: TransportFeedback, nowMs: number): void {
    const figures = this.#sender.onFeedback(feedback, nowMs);
    if (!figures || !this.#keyframes) return;
    this.#delay.onRoundTrip(this.#reports.roundTripMs, figures.queueMs);
    this.#delay.onLost(figures.lostShare, nowMs);
    this.#sender.setPlayoutDelay(this.#delay.at(nowMs));
    const wasThin = this.#congestion.isThin;
    if (!wasThin && this.#switch?.onFigures(figures, nowMs)) return;
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

  /** Sends a sender report if one is due. */
  tick(nowMs: number): void {
    const { packager, transport } = this.#options;
    if (!this.#isStarted || !this.#reports.isDue(this.#delay.lostShare > lossyShare, nowMs)) return;
    const streamMs = packager.clock.at(nowMs);
    if (streamMs === undefined) return;
    const report = this.#reports.next({ video: streamMs * 90, audio: packager.audioTicksAt(streamMs) }, nowMs);
    if (report) transport.sendRtcp(report);
  }

  /** False for video that cannot be decoded, and for audio from before the viewer joined. */
  #isWanted(packet: OutPacket): boolean {
    return packet.isVideo ? this.#position.accepts(packet) : this.#place >= this.#joinPlace;
  }

  /** Moves to the newest keyframe, or to the next packet without one. Returns the number of the picture there. */
  #goToEntry(ring: PacketRing): number {
    this.#video?.breakOff();
    const place = ring.entry ?? ring.end;
    const lower = this.#switch?.lower;
    if (lower) {
      lower.place = place;
      this.#place = Math.max(this.#place, this.#options.packager.ring.end);
    } else this.#place = place;
    this.#joinPlace = this.#options.packager.ring.end;
    this.#position.needsKeyframe = true;
    return ring.at(place)?.picture ?? this.#packager.newest.picture + 1;
  }

  /** Handles a viewer that cannot decode. RTMP publishers cannot be asked for a keyframe, so the last one is sent again. */
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
    this.#position.pressAfter(first, newest.picture, newest.timestamp);
    packager.wake();
  }

  /** Skips ahead when the packets it needs are gone. */
  #skip(ring: PacketRing): void {
    this.#options.counters.droppedFrames += 1;
    this.#place = Math.max(ring.entry ?? ring.end, ring.start);
    this.#position.needsKeyframe = true;
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
      const timestamp = this.#position.timeOf(packet, track);
      this.#options.counters.bytesOut += this.#sender.sendAgain(packet, track, wire, timestamp, nowMs);
    }
  }
}
