import { randomInt } from 'node:crypto';
import { metadataOfTracks, opusHeadOf, opusSampleRate, type VideoCodec } from '@weir/media';
import {
  Arrivals,
  isRtcp,
  parseRtcp,
  parseRtp,
  ReorderBuffer,
  type RtpPacket,
  readTransportNumber,
  SenderClock,
  SharedClock,
  writeArrivals,
  writeCname,
  writePli,
  writeReceiverReport,
  writeRemb,
} from '@weir/media/rtp';
import type { ClientCounters } from '../../../hub/clients/client-info.ts';
import type { Publication } from '../../../hub/stream.ts';
import type { RtcTransport } from '../transport/rtc-transport.ts';
import { ReceivedTrack } from './received-track.ts';
import { VideoIngest } from './video-ingest.ts';

/** Viewers by HLS and those who join need keyframes; a browser sends one only when asked. */
const keyframeEveryMs = 2000;
/** Asking more often only makes keyframes that are on their way larger in number. */
const askAgainMs = 500;
const reportEveryMs = 1000;
/** What a publisher may send at most. It starts at full quality because of it, and slows down by the loss we report. */
const mostBitsPerSecond = 10_000_000;
/** Sound is not repaired; this long a late packet may take. */
const audioWaitMs = 60;
const lookAgainMs = 10;

/** Pictures as this publisher sends them. */
export interface ReceivedVideo {
  readonly payloadType: number;
  readonly codec: VideoCodec;
  /** Of what it sends again in a stream of its own (RFC 4588). */
  readonly repairType?: number | undefined;
  /** The extension with a number of the transport: we tell when each arrived, from which it knows its line. */
  readonly transportNumber?: number | undefined;
}

interface Options {
  readonly publication: Omit<Publication, 'end'>;
  readonly counters: ClientCounters;
  readonly transport: Pick<RtcTransport, 'sendRtcp'>;
  readonly video: ReceivedVideo | undefined;
  readonly audio: { readonly payloadType: number; readonly channels: number } | undefined;
  readonly cname: string;
  /** What it sends cannot be what it claims to be. */
  readonly onFault: (error: unknown) => void;
}

/** A publisher by WebRTC: its packets become the frames of a stream. */
export class WebRtcPublisher {
  readonly #options: Options;
  readonly #ssrc = randomInt(1, 2 ** 32);
  readonly #shared = new SharedClock();
  readonly #video: ReceivedTrack | undefined;
  readonly #audio: ReceivedTrack | undefined;
  readonly #pictures: VideoIngest | undefined;
  readonly #sounds = new ReorderBuffer(audioWaitMs);
  readonly #arrivals = new Arrivals();
  #arrivalReports = 0;
  readonly #videoClock = new SenderClock('video', 90_000, this.#shared);
  readonly #audioClock = new SenderClock('audio', opusSampleRate, this.#shared);
  #hasAudioConfig = false;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;
  #keyframeMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  readonly #onTime = (): void => {
    this.#timer = undefined;
    try {
      this.#drainVideo(performance.now());
    } catch (error) {
      this.#options.onFault(error);
    }
  };

  constructor(options: Options) {
    this.#options = options;
    const { video, audio } = options;
    this.#video = video && new ReceivedTrack(video.payloadType, 90_000);
    this.#audio = audio && new ReceivedTrack(audio.payloadType, opusSampleRate);
    this.#pictures = video && new VideoIngest(video.codec);
    options.publication.metadata(metadataOfTracks(video?.codec, audio && 'opus'));
  }

  /** As the API shows it. */
  get facts(): Readonly<Record<string, number>> {
    return {
      rttMs: Math.round((this.#pictures?.roundTripMs ?? 0) * 10) / 10,
      packetsReceived: (this.#video?.received ?? 0) + (this.#audio?.received ?? 0),
      packetsLost: this.#lost,
    };
  }

  /** What the line lost, before repair. What is sent again comes under numbers of its own, or else as if it were late. */
  get #lost(): number {
    const isRepairApart = this.#options.video?.repairType !== undefined;
    const recovered = isRepairApart ? 0 : (this.#pictures?.recovered ?? 0);
    return (this.#video?.lost ?? 0) + recovered + (this.#audio?.lost ?? 0);
  }

  onPacket(bytes: Buffer, nowMs: number): void {
    this.#options.counters.bytesIn += bytes.length;
    if (isRtcp(bytes)) {
      this.#onRtcp(bytes, nowMs);
      return;
    }
    this.#onArrival(bytes, nowMs);
    const packet = parseRtp(bytes);
    if (!packet) return;
    if (this.#video?.accepts(packet, nowMs)) this.#onVideo(packet, nowMs);
    else if (packet.payloadType === this.#options.video?.repairType) this.#onRepair(packet, nowMs);
    else if (this.#audio?.accepts(packet, nowMs)) this.#onAudio(packet, nowMs);
    if (nowMs - this.#reportedMs >= reportEveryMs) this.#report(nowMs);
  }

  /** A viewer needs one, or the time has come. */
  askKeyframe(nowMs: number): void {
    const ssrc = this.#video?.ssrc;
    if (ssrc === undefined || nowMs - this.#askedMs < askAgainMs) return;
    this.#askedMs = nowMs;
    this.#options.transport.sendRtcp(writePli(this.#ssrc, ssrc));
  }

  /** A few times a second, also when nothing arrives. */
  tick(nowMs: number): void {
    if (this.#pictures?.needsKeyframe || nowMs - this.#keyframeMs >= keyframeEveryMs) this.askKeyframe(nowMs);
    if (nowMs - this.#reportedMs >= reportEveryMs) this.#report(nowMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #onArrival(bytes: Buffer, nowMs: number): void {
    const { video, transport } = this.#options;
    const media = this.#video?.ssrc;
    if (video?.transportNumber === undefined || media === undefined) return;
    const number = readTransportNumber(bytes, video.transportNumber);
    if (number === undefined) return;
    this.#arrivals.onPacket(number, nowMs);
    const told = this.#arrivals.take(nowMs);
    if (told) transport.sendRtcp(writeArrivals({ ours: this.#ssrc, media }, told, this.#arrivalReports++));
  }

  /** A lost packet once more, in front of it the number it had. What is shorter only measures the line. */
  #onRepair(packet: RtpPacket, nowMs: number): void {
    const ssrc = this.#video?.ssrc;
    const { payload } = packet;
    if (ssrc === undefined || !this.#options.video || payload.length < 2) return;
    const { payloadType } = this.#options.video;
    this.#onVideo(
      { ...packet, payloadType, ssrc, sequence: payload.readUInt16BE(0), payload: payload.subarray(2) },
      nowMs,
    );
  }

  #onVideo(packet: RtpPacket, nowMs: number): void {
    this.#pictures?.push(packet, nowMs);
    this.#drainVideo(nowMs);
  }

  #drainVideo(nowMs: number): void {
    const pictures = this.#pictures;
    const ssrc = this.#video?.ssrc;
    if (!pictures || ssrc === undefined) return;
    for (const { config, payload, isKeyframe, timestamp } of pictures.take(nowMs)) {
      if (isKeyframe) this.#keyframeMs = nowMs;
      if (config) this.#options.publication.config(config);
      const ms = this.#videoClock.toMs(timestamp, nowMs);
      this.#options.publication.frame({
        kind: 'video',
        codec: pictures.codec,
        dtsMs: ms,
        ptsMs: ms,
        isKeyframe,
        payload,
      });
    }
    if (pictures.needsKeyframe) this.askKeyframe(nowMs);
    const request = pictures.repair(this.#ssrc, ssrc, nowMs);
    if (request) this.#options.transport.sendRtcp(request);
    if (pictures.isWaiting) this.#lookAgain();
  }

  /** Requests are repeated and given up by the clock, also when nothing more arrives. */
  #lookAgain(): void {
    this.#timer ??= setTimeout(this.#onTime, lookAgainMs);
  }

  #onAudio(packet: RtpPacket, nowMs: number): void {
    this.#sounds.push(packet);
    for (let next = this.#sounds.take(nowMs); next; next = this.#sounds.take(nowMs)) {
      if (next.payload.length === 0) continue;
      this.#announceAudio();
      const ms = this.#audioClock.toMs(next.timestamp, nowMs);
      const { payload } = next;
      this.#options.publication.frame({
        kind: 'audio',
        codec: 'opus',
        dtsMs: ms,
        ptsMs: ms,
        isKeyframe: true,
        payload,
      });
    }
  }

  #announceAudio(): void {
    if (this.#hasAudioConfig) return;
    this.#hasAudioConfig = true;
    const channels = this.#options.audio?.channels ?? 2;
    const record = opusHeadOf(channels);
    const config = { kind: 'audio', codec: 'opus', record, sampleRate: opusSampleRate, channels, profile: '' } as const;
    this.#options.publication.config(config);
  }

  #onRtcp(bytes: Buffer, nowMs: number): void {
    for (const packet of parseRtcp(bytes)) {
      if (packet.type !== 'sender-report') continue;
      if (packet.ssrc === this.#video?.ssrc) this.#videoClock.onSenderReport(packet.ntpMs, packet.rtpTimestamp);
      if (packet.ssrc === this.#audio?.ssrc) this.#audioClock.onSenderReport(packet.ntpMs, packet.rtpTimestamp);
      this.#video?.onSenderReport(packet, nowMs);
      this.#audio?.onSenderReport(packet, nowMs);
    }
  }

  #report(nowMs: number): void {
    this.#reportedMs = nowMs;
    const blocks = [this.#video, this.#audio].flatMap((track) => track?.report(nowMs) ?? []);
    if (blocks.length === 0) return;
    const ssrcs = blocks.map(({ ssrc }) => ssrc);
    this.#options.transport.sendRtcp(
      Buffer.concat([
        writeReceiverReport(this.#ssrc, blocks),
        writeCname(this.#ssrc, this.#options.cname),
        writeRemb(this.#ssrc, mostBitsPerSecond, ssrcs),
      ]),
    );
  }
}
