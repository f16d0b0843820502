import type { VideoCodec, VideoConfig } from '@weir/media';
import type { ReceivedPicture, ReportBlock, RtpPacket, SenderReport } from '@weir/media/rtp';
import { LayerClock } from './layer-clock.ts';
import { isLarger, LayerSelector } from './layer-selector.ts';
import { LayerSources, type SimulcastNames } from './layer-sources.ts';
import { LowerLayers } from './lower-layers.ts';
import { VideoLayer } from './video-layer.ts';

/** More than any layer has in the second that is waited for the others. */
const mostPictures = 256;
const mostBytes = 8 * 1024 * 1024;

interface Held {
  readonly picture: ReceivedPicture;
  readonly cameMs: number;
}

/**
 * The newest group of pictures of the best layer so far, until it is known which one leads: a publisher that sends keyframes only
 * when it likes would otherwise begin with its next one.
 */
class FrameHoldback {
  layer: number | undefined;
  #pictures: Held[] = [];
  #bytes = 0;

  begin(layer: number): void {
    this.clear();
    this.layer = layer;
  }

  push(picture: ReceivedPicture, cameMs: number): void {
    this.#bytes += picture.payload.length;
    if (this.#pictures.length >= mostPictures || this.#bytes > mostBytes) this.clear();
    else this.#pictures.push({ picture, cameMs });
  }

  drain(): readonly Held[] {
    const pictures = this.#pictures;
    this.clear();
    return pictures;
  }

  clear(): void {
    this.layer = undefined;
    this.#pictures = [];
    this.#bytes = 0;
  }
}

/** HLS and new viewers need keyframes; browsers send them only on request. */
const keyframeEveryMs = 2000;
/** A layer that was silent for so long cannot answer. */
const goneMs = 1000;
/** Pictures of a layer that lags behind the one before it follow each other this fast, in ticks, until they have passed it. */
const pressedTicks = 90;

/** Video as this publisher sends it. */
export interface ReceivedVideo {
  readonly payloadType: number;
  readonly codec: VideoCodec;
  /** Payload type of retransmissions (RFC 4588). */
  readonly repairType?: number | undefined;
  /** Extension with the transport-wide sequence number, whose arrival is reported to the sender. */
  readonly transportNumber?: number | undefined;
  /** Set for a simulcast publisher. */
  readonly simulcast?: SimulcastNames | undefined;
}

/** Output: frames of the layer that leads, on one clock, and those of lower layers at the times of the lead. */
interface Output {
  config(config: VideoConfig): void;
  /** Returns its time on the clock of the stream. */
  picture(picture: ReceivedPicture, timestamp: number, nowMs: number): number;
  lower(layer: number, picture: ReceivedPicture, ms: number): void;
  lowerConfig(layer: number, config: VideoConfig): void;
  /** The pictures are those of this layer from now on. */
  lead(layer: number): void;
  rtcp(packet: Buffer): void;
}

/** Video of a publisher in one or several layers. The largest present layer leads; smaller ones are qualities beside it, and can take over. */
export class PublishedVideo {
  readonly #video: ReceivedVideo;
  readonly #ours: number;
  readonly #output: Output;
  readonly #layers: readonly VideoLayer[];
  readonly #sources: LayerSources | undefined;
  readonly #choice = new LayerSelector();
  readonly #clock: LayerClock | undefined;
  /** While no layer is chosen. */
  readonly #held = new FrameHoldback();
  readonly #lower: LowerLayers | undefined;
  #lead: number | undefined;
  #keyframeMs = Number.NEGATIVE_INFINITY;
  /** The newest timestamp that was shown, and whether pictures after a change of layers are still behind it. */
  #shown: number | undefined;
  #isBehind = false;

  constructor(video: ReceivedVideo, ours: number, output: Output) {
    this.#video = video;
    this.#ours = ours;
    this.#output = output;
    const count = video.simulcast?.rids.length ?? 1;
    this.#layers = Array.from({ length: count }, () => new VideoLayer(video.payloadType, video.codec));
    this.#sources = video.simulcast && new LayerSources(video.simulcast);
    this.#clock = video.simulcast && new LayerClock(count);
    this.#lower = video.simulcast && new LowerLayers();
    this.#lead = video.simulcast ? undefined : 0;
  }

  /** SSRC of any source. */
  get ssrc(): number | undefined {
    for (const { track } of this.#layers) if (track.ssrc !== undefined) return track.ssrc;
    return undefined;
  }

  get received(): number {
    return this.#layers.reduce((sum, { track }) => sum + track.received, 0);
  }

  /** Packets lost on the line, before repair. Retransmissions have their own numbers, or count as late. */
  get lost(): number {
    const isApart = this.#video.repairType !== undefined;
    return this.#layers.reduce((sum, { track, pictures }) => sum + track.lost + (isApart ? 0 : pictures.recovered), 0);
  }

  /** True while packets are missing: check again soon. */
  get isWaiting(): boolean {
    for (const { pictures } of this.#layers) if (pictures.isWaiting) return true;
    return false;
  }

  /** False when it is no video. */
  onPacket(bytes: Buffer, packet: RtpPacket, nowMs: number): boolean {
    const { payloadType, repairType } = this.#video;
    if (packet.payloadType === payloadType) this.#onMedia(bytes, packet, nowMs);
    else if (packet.payloadType === repairType) this.#onRepair(bytes, packet, nowMs);
    else return false;
    return true;
  }

  /** Requests and gives up missing packets by the clock, also when nothing more arrives. */
  drain(nowMs: number): void {
    for (const index of this.#layers.keys()) this.#drain(index, nowMs);
  }

  /** A few times a second, also when nothing arrives. */
  tick(nowMs: number): void {
    if (this.#lead === undefined) this.#beginWithHeld(nowMs);
    const wanted = this.#wanted(nowMs);
    if (wanted !== this.#lead) this.#sendKeyframeRequest(wanted, nowMs);
    const needsKeyframe = this.#layers[this.#lead ?? -1]?.pictures.needsKeyframe ?? true;
    if (needsKeyframe || nowMs - this.#keyframeMs >= keyframeEveryMs) this.requestKeyframe(nowMs);
    else this.#requestLower(nowMs);
  }

  /** Publishers send keyframes of all layers together, so one layer is asked at a time. */
  #requestLower(nowMs: number): void {
    for (const [index, layer] of this.#layers.entries()) {
      const isMissing = this.#lower?.needsKeyframe(index) && this.#isLower(index) && nowMs - layer.heardMs < goneMs;
      if (!isMissing || this.#clock?.place(index, 0) === undefined) continue;
      this.#sendKeyframeRequest(index, nowMs);
      return;
    }
  }

  /** Equal or larger layers than the lead are of no use beside it. */
  #isLower(index: number): boolean {
    const [layer, lead] = [this.#layers[index], this.#layers[this.#lead ?? -1]];
    return layer !== undefined && lead !== undefined && layer !== lead && isLarger(lead, layer);
  }

  /** Requests a keyframe of the shown layer, or of all layers that have had none. */
  requestKeyframe(nowMs: number): void {
    if (this.#lead !== undefined) this.#sendKeyframeRequest(this.#lead, nowMs);
    else
      for (const [index, { isReady }] of this.#layers.entries()) if (!isReady) this.#sendKeyframeRequest(index, nowMs);
  }

  /** Converts the timestamp of a sender report to the clock of the shown layer; undefined for other sources, or while unknown. */
  onSenderReport(report: SenderReport, nowMs: number): number | undefined {
    const index = this.#layers.findIndex(({ track }) => track.ssrc === report.ssrc);
    const layer = this.#layers[index];
    if (!layer) return undefined;
    layer.track.onSenderReport(report, nowMs);
    if (!this.#clock) return report.rtpTimestamp;
    return this.#clock.onSenderReport(index, report.ntpMs, report.rtpTimestamp);
  }

  reports(nowMs: number): ReportBlock[] {
    return this.#layers.flatMap(({ track }) => track.report(nowMs) ?? []);
  }

  #onMedia(bytes: Buffer, packet: RtpPacket, nowMs: number): void {
    const index = this.#find(bytes, packet, false, nowMs);
    const layer = this.#layers[index];
    const ssrc = layer?.track.ssrc;
    if (!layer?.accepts(packet, nowMs)) return;
    if (ssrc !== undefined && ssrc !== packet.ssrc) this.#restart(index);
    layer.pictures.push(packet, nowMs);
    this.#drain(index, nowMs);
  }

  /** Another source sends this layer: its timestamps have nothing to do with those before. */
  #restart(index: number): void {
    this.#clock?.reset(index);
    if (index === this.#lead) this.#isBehind = true;
  }

  /** A lost packet once more, in front of it the number it had. What is shorter only measures the line. */
  #onRepair(bytes: Buffer, packet: RtpPacket, nowMs: number): void {
    const { payload } = packet;
    const index = this.#find(bytes, packet, true, nowMs);
    const layer = this.#layers[index];
    const ssrc = layer?.track.ssrc;
    if (!layer || ssrc === undefined || payload.length < 2) return;
    const { payloadType } = this.#video;
    const sequence = payload.readUInt16BE(0);
    layer.pictures.push({ ...packet, payloadType, ssrc, sequence, payload: payload.subarray(2) }, nowMs);
    this.#drain(index, nowMs);
  }

  /** The layer of a packet; -1 for none. */
  #find(bytes: Buffer, packet: RtpPacket, isRepair: boolean, nowMs: number): number {
    return this.#sources ? (this.#sources.find(bytes, packet, isRepair, nowMs) ?? -1) : 0;
  }

  /** Emits the complete frames of a layer, and requests missing packets. */
  #drain(index: number, nowMs: number): void {
    const layer = this.#layers[index];
    if (!layer) return;
    for (const picture of layer.drain(nowMs)) this.#onPicture(index, picture, nowMs);
    const request = layer.repairRequest(this.#ours, nowMs);
    if (request) this.#output.rtcp(request);
    if (index === this.#lead && layer.pictures.needsKeyframe) this.#sendKeyframeRequest(index, nowMs);
  }

  #onPicture(index: number, picture: ReceivedPicture, nowMs: number): void {
    if (index === this.#lead) {
      this.#show(index, picture, false, nowMs);
      return;
    }
    if (this.#lead !== undefined && picture.isKeyframe && this.#wanted(nowMs) === index) {
      this.#show(index, picture, true, nowMs);
      return;
    }
    this.#clock?.onOther(index, picture.timestamp);
    if (this.#lead === undefined) this.#hold(index, picture, nowMs);
    else if (this.#isLower(index))
      this.#lower?.push(index, picture, this.#layers[index]?.config, this.#clock?.place(index, picture.timestamp));
  }

  #hold(index: number, picture: ReceivedPicture, nowMs: number): void {
    const layer = this.#layers[index];
    const best = this.#layers[this.#held.layer ?? -1];
    if (layer && picture.isKeyframe && (!best || best === layer || isLarger(layer, best))) this.#held.begin(index);
    if (index !== this.#held.layer) return;
    this.#held.push(picture, nowMs);
    this.#beginWithHeld(nowMs);
  }

  #beginWithHeld(nowMs: number): void {
    const { layer } = this.#held;
    if (layer === undefined || this.#wanted(nowMs) !== layer) return;
    for (const [n, { picture, cameMs }] of this.#held.drain().entries()) this.#show(layer, picture, n === 0, cameMs);
  }

  #show(index: number, picture: ReceivedPicture, hasChanged: boolean, nowMs: number): void {
    this.#lead = index;
    if (hasChanged) {
      this.#lower?.promote(index);
      this.#output.lead(index);
    }
    if (picture.isKeyframe) this.#keyframeMs = nowMs;
    const config = hasChanged ? this.#layers[index]?.config : picture.config;
    if (config) this.#output.config(config);
    const ms = this.#output.picture(picture, this.#place(index, picture.timestamp, hasChanged, nowMs), nowMs);
    const timestamp = this.#clock?.place(index, picture.timestamp);
    if (timestamp !== undefined) this.#showLower(timestamp, ms);
  }

  #showLower(timestamp: number, ms: number): void {
    for (const due of this.#lower?.release(timestamp, ms) ?? []) {
      if (due.config) this.#output.lowerConfig(due.layer, due.config);
      this.#output.lower(due.layer, due.picture, due.ms);
    }
  }

  /** On the common clock. A larger layer comes later than a smaller one: after a change its first pictures were shown before, smaller. */
  #place(index: number, timestamp: number, hasChanged: boolean, nowMs: number): number {
    if (!this.#clock) return timestamp;
    const placed = this.#clock.onShown(index, timestamp, nowMs);
    const shown = this.#shown ?? placed;
    if (hasChanged) this.#isBehind = this.#shown !== undefined;
    if (this.#isBehind) this.#isBehind = ((placed - shown) | 0) <= 0;
    this.#shown = this.#isBehind ? (shown + pressedTicks) >>> 0 : placed;
    return this.#shown;
  }

  #wanted(nowMs: number): number | undefined {
    return this.#sources ? this.#choice.choose(this.#layers, this.#lead, nowMs) : this.#lead;
  }

  #sendKeyframeRequest(index: number | undefined, nowMs: number): void {
    const request = index === undefined ? undefined : this.#layers[index]?.keyframeRequest(this.#ours, nowMs);
    if (request) this.#output.rtcp(request);
  }
}
