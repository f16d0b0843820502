import { randomInt } from 'node:crypto';
import { type MediaFrame, metadataOfTracks, opusSampleRate, writeOpusHead } from '@weir/media';
import {
  Arrivals,
  isRtcp,
  parseRtcp,
  parseRtp,
  type ReceivedPicture,
  ReorderBuffer,
  RoundTrip,
  type RtpPacket,
  readTransportNumber,
  SenderClock,
  SharedClock,
  writeArrivals,
  writeCname,
  writeReceiverReport,
  writeRemb,
} from '@weir/media/rtp';
import type { ClientCounters } from '../../../hub/clients/client-info.ts';
import type { Publication } from '../../../hub/stream.ts';
import type { RtcTransport } from '../transport/rtc-transport.ts';
import { PublishedVideo, type ReceivedVideo } from './layers/published-video.ts';
import { PublisherAllowance } from './publisher-allowance.ts';
import { ReceivedTrack } from './received-track.ts';

const reportEveryMs = 1000;
/** Sound is not repaired; this long a late packet may take. */
const audioWaitMs = 60;
const retryMs = 10;

interface Options {
  readonly publication: Omit<Publication, 'end'>;
  readonly counters: ClientCounters;
  readonly transport: Pick<RtcTransport, 'sendRtcp'>;
  readonly video: ReceivedVideo | undefined;
  readonly audio: { readonly payloadType: number; readonly channels: number } | undefined;
  readonly cname: string;
  /** Called for malformed media. */
  readonly onFault: (error: unknown) => void;
}

/** A publisher by WebRTC: its packets become the frames of a stream. */
export class WebRtcPublisher {
  readonly #options: Options;
  readonly #ssrc = randomInt(1, 2 ** 32);
  readonly #shared = new SharedClock();
  readonly #video: PublishedVideo | undefined;
  readonly #audio: ReceivedTrack | undefined;
  readonly #sounds = new ReorderBuffer(audioWaitMs);
  readonly #roundTrip = new RoundTrip(this.#ssrc);
  readonly #arrivals = new Arrivals();
  #arrivalReports = 0;
  readonly #allowance = new PublisherAllowance();
  readonly #videoClock = new SenderClock('video', 90_000, this.#shared);
  readonly #audioClock = new SenderClock('audio', opusSampleRate, this.#shared);
  #hasAudioConfig = false;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  readonly #onTime = (): void => {
    this.#timer = undefined;
    try {
      this.#video?.drain(performance.now());
      this.#scheduleRetry();
    } catch (error) {
      this.#options.onFault(error);
    }
  };

  constructor(options: Options) {
    this.#options = options;
    const { video, audio } = options;
    this.#video =
      video &&
      new PublishedVideo(video, this.#ssrc, {
        config: (config) => options.publication.config(config),
        picture: (picture, timestamp, nowMs) => this.#onPicture(picture, timestamp, nowMs),
        lower: (layer, picture, ms) => options.publication.lower(layer, toFrame(video, picture, ms)),
        lowerConfig: (layer, config) => options.publication.lower(layer, config),
        lead: (layer) => options.publication.lead(layer),
        rtcp: (packet) => options.transport.sendRtcp(packet),
      });
    this.#audio = audio && new ReceivedTrack(audio.payloadType, opusSampleRate);
    options.publication.metadata(metadataOfTracks(video?.codec, audio && 'opus'));
  }

  /** Statistics for the API. */
  get facts(): Readonly<Record<string, number>> {
    const rttMs = this.#roundTrip.ms;
    return {
      ...(rttMs !== undefined && { rttMs: Math.round(rttMs * 10) / 10 }),
      packetsReceived: (this.#video?.received ?? 0) + (this.#audio?.received ?? 0),
      packetsLost: (this.#video?.lost ?? 0) + (this.#audio?.lost ?? 0),
    };
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
    if (this.#video?.onPacket(bytes, packet, nowMs)) this.#scheduleRetry();
    else if (this.#audio?.accepts(packet, nowMs)) this.#onAudio(packet, nowMs);
    if (nowMs - this.#reportedMs >= reportEveryMs) this.#report(nowMs);
  }

  /** A viewer needs one. */
  requestKeyframe(nowMs: number): void {
    this.#video?.requestKeyframe(nowMs);
  }

  /** A few times a second, also when nothing arrives. */
  tick(nowMs: number): void {
    this.#video?.tick(nowMs);
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
    const report = this.#arrivals.nextReport(nowMs);
    if (report) transport.sendRtcp(writeArrivals({ ours: this.#ssrc, media }, report, this.#arrivalReports++));
  }

  #onPicture(picture: ReceivedPicture, timestamp: number, nowMs: number): number {
    const { video, publication } = this.#options;
    const ms = this.#videoClock.toMs(timestamp, nowMs);
    if (video) publication.frame(toFrame(video, picture, ms));
    return ms;
  }

  /** Requests are repeated and given up by the clock, also when nothing more arrives. */
  #scheduleRetry(): void {
    if (this.#video?.isWaiting) this.#timer ??= setTimeout(this.#onTime, retryMs);
  }

  #onAudio(packet: RtpPacket, nowMs: number): void {
    this.#sounds.push(packet, nowMs);
    for (let next = this.#sounds.shift(nowMs); next; next = this.#sounds.shift(nowMs)) {
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
    const record = writeOpusHead(channels);
    const config = { kind: 'audio', codec: 'opus', record, sampleRate: opusSampleRate, channels, profile: '' } as const;
    this.#options.publication.config(config);
  }

  #onRtcp(bytes: Buffer, nowMs: number): void {
    for (const packet of parseRtcp(bytes)) {
      if (packet.type === 'reference-answers') this.#roundTrip.onAnswers(packet.answers, nowMs);
      if (packet.type !== 'sender-report') continue;
      const timestamp = this.#video?.onSenderReport(packet, nowMs);
      if (timestamp !== undefined) this.#videoClock.onSenderReport(packet.ntpMs, timestamp);
      if (packet.ssrc === this.#audio?.ssrc) this.#audioClock.onSenderReport(packet.ntpMs, packet.rtpTimestamp);
      this.#audio?.onSenderReport(packet, nowMs);
    }
  }

  #report(nowMs: number): void {
    this.#reportedMs = nowMs;
    const audio = this.#audio?.report(nowMs);
    const videos = this.#video?.reports(nowMs) ?? [];
    const blocks = [...videos, ...(audio ? [audio] : [])];
    if (blocks.length === 0) return;
    const ssrcs = blocks.map(({ ssrc }) => ssrc);
    // Publishers with transport feedback estimate their bandwidth better than losses show.
    const isTold = this.#options.video?.transportNumber !== undefined;
    const lostShare = isTold ? 0 : Math.max(0, ...videos.map(({ fractionLost }) => fractionLost / 256));
    const allowed = this.#allowance.next(this.#options.counters.bytesIn, lostShare, nowMs);
    this.#options.transport.sendRtcp(
      Buffer.concat([
        writeReceiverReport(this.#ssrc, blocks),
        writeCname(this.#ssrc, this.#options.cname),
        writeRemb(this.#ssrc, allowed, ssrcs),
        this.#roundTrip.writeReferenceTime(nowMs),
      ]),
    );
  }
}

function toFrame({ codec }: ReceivedVideo, { isKeyframe, payload }: ReceivedPicture, ms: number): MediaFrame {
  return { kind: 'video', codec, dtsMs: ms, ptsMs: ms, isKeyframe, payload };
}
