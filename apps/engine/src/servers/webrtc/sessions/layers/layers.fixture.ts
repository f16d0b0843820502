import {
  h264Layout,
  packetizeNals,
  parseRtcp,
  parseRtp,
  rtpHeaderBytes,
  type SenderReport,
  writeRtpHeader,
} from '@weir/media/rtp';
import { PublishedVideo } from './published-video.ts';

const types = { media: 102, repair: 103 };
const ids = { rid: 10, repaired: 11 };
const pps = Buffer.from('68ce0fc8', 'hex');
/** Parameter sets as x264 writes them, by the width of the picture. */
const sets: Readonly<Record<number, Buffer>> = {
  320: Buffer.from('6742c00cda05067e7c0440000003004000000c83c50aa8', 'hex'),
  640: Buffer.from('6742c01eda0280bfe5c044000003000400000300c83c58ba80', 'hex'),
  1280: Buffer.from('6742c01fda014016ec0440000003004000000c83c60ca8', 'hex'),
};

interface Packet {
  readonly type: number;
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp: number;
  readonly isMarker: boolean;
  readonly payload: Buffer;
  readonly extension?: readonly [id: number, text: string];
}

function writePacket({ type, ssrc, sequence, timestamp, isMarker, payload, extension }: Packet): Buffer {
  const head = Buffer.alloc(rtpHeaderBytes);
  writeRtpHeader(head, type, isMarker, sequence & 0xffff, timestamp >>> 0, ssrc);
  if (!extension) return Buffer.concat([head, payload]);
  head[0] = 0x90;
  const [id, text] = extension;
  const words = Math.ceil((1 + text.length) / 4);
  const block = Buffer.alloc(4 + words * 4);
  block.writeUInt16BE(0xbede, 0);
  block.writeUInt16BE(words, 2);
  block[4] = (id << 4) | (text.length - 1);
  block.write(text, 5);
  return Buffer.concat([head, block, payload]);
}

export interface LayerPlan {
  readonly rid: string;
  readonly width: number;
  readonly base?: number;
  /** Delay of its frames after capture. */
  readonly delayMs?: number;
}

interface Shown {
  readonly width: number;
  readonly isKeyframe: boolean;
  readonly ms: number;
  readonly nowMs: number;
}

/** One layer of a sender: its numbers, and whether it sends. */
class SentLayer {
  readonly plan: LayerPlan;
  ssrc: number;
  /** First timestamp. */
  base: number;
  width: number;
  isOn = true;
  sequence = 60_000;
  needsKeyframe = true;
  namedPackets = 0;

  constructor(plan: LayerPlan, index: number) {
    this.plan = plan;
    this.width = plan.width;
    this.ssrc = 1000 + index;
    this.base = plan.base ?? 0;
  }

  timestampAt(capturedMs: number): number {
    return (this.base + Math.round(capturedMs * 90)) >>> 0;
  }
}

/** A publisher with layers of 25 frames a second, and what becomes of them. Its clock is ours, from 0. */
export class SimulatedPublisher {
  readonly layers: readonly SentLayer[];
  readonly shown: Shown[] = [];
  readonly lower: (Shown & { readonly layer: number })[] = [];
  readonly leads: number[] = [];
  readonly #widths = new Map<number, number>();
  readonly video: PublishedVideo;
  readonly asked = { keyframes: [] as number[], nacks: 0 };
  nowMs = 0;
  /** True if it answers keyframe requests, as browsers do and OBS does not. */
  isAskable = true;
  hasReports = true;
  #width = 0;
  #queue: { readonly atMs: number; readonly bytes: Buffer }[] = [];

  constructor(plans: readonly LayerPlan[], { hasRepair = true } = {}) {
    this.layers = plans.map((plan, index) => new SentLayer(plan, index));
    const simulcast = { rids: plans.map(({ rid }) => rid), ridId: ids.rid, repairedRidId: ids.repaired };
    const repair = hasRepair ? { repairType: types.repair } : {};
    this.video = new PublishedVideo({ payloadType: types.media, codec: 'h264', simulcast, ...repair }, 1, {
      config: ({ width }) => {
        this.#width = width;
      },
      picture: ({ isKeyframe }, timestamp, nowMs) => {
        this.shown.push({ width: this.#width, isKeyframe, ms: timestamp / 90, nowMs });
        return timestamp / 90;
      },
      lower: (layer, { isKeyframe }, ms) =>
        this.lower.push({ layer, width: this.#widths.get(layer) ?? 0, isKeyframe, ms, nowMs: this.nowMs }),
      lowerConfig: (layer, { width }) => this.#widths.set(layer, width),
      lead: (layer) => this.leads.push(layer),
      rtcp: (packet) => this.#onRtcp(packet),
    });
  }

  get widths(): number[] {
    return [...new Set(this.shown.map(({ width }) => width))];
  }

  /** Captures and sends for so long. */
  run(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; this.nowMs += 10) {
      if (this.nowMs % 40 === 0) for (const layer of this.layers) this.capture(layer);
      if (this.hasReports && this.nowMs % 1000 === 500) for (const layer of this.layers) this.report(layer);
      const due = this.#queue.filter(({ atMs }) => atMs <= this.nowMs);
      this.#queue = this.#queue.filter(({ atMs }) => atMs > this.nowMs);
      for (const { bytes } of due) this.receive(bytes);
      this.video.drain(this.nowMs);
      if (this.nowMs % 250 === 0) this.video.tick(this.nowMs);
    }
  }

  /** Time passes, and nothing arrives. */
  blackOut(ms: number): void {
    this.#queue = [];
    for (const layer of this.layers) layer.sequence += 100;
    for (const endMs = this.nowMs + ms; this.nowMs < endMs; this.nowMs += 250) this.video.tick(this.nowMs);
  }

  receive(bytes: Buffer): void {
    const packet = parseRtp(bytes);
    if (packet) this.video.onPacket(bytes, packet, this.nowMs);
  }

  capture(layer: SentLayer): void {
    if (!layer.isOn) return;
    const atMs = this.nowMs + (layer.plan.delayMs ?? 0);
    for (const bytes of this.packets(layer)) this.#queue.push({ atMs, bytes });
  }

  /** The packets of the next picture. A source names its layer in its first ones only. */
  packets(layer: SentLayer): Buffer[] {
    const isKeyframe = layer.needsKeyframe;
    layer.needsKeyframe = false;
    const slice = Buffer.alloc(isKeyframe ? 3000 : 500, 7);
    slice[0] = isKeyframe ? 0x65 : 0x41;
    const nals = isKeyframe ? [sets[layer.width] ?? Buffer.alloc(0), pps, slice] : [slice];
    const payloads = packetizeNals(nals, h264Layout).map((bytes) => bytes.subarray(rtpHeaderBytes));
    return payloads.map((payload, n) => {
      const isNamed = layer.namedPackets++ < 20;
      return writePacket({
        type: types.media,
        ssrc: layer.ssrc,
        sequence: layer.sequence++,
        payload,
        timestamp: layer.timestampAt(this.nowMs),
        isMarker: n === payloads.length - 1,
        ...(isNamed && { extension: [ids.rid, layer.plan.rid] as const }),
      });
    });
  }

  /** A packet of the layer's stream of repair; without an original it only measures the line. */
  repair(layer: SentLayer, original?: Buffer): Buffer {
    const lost = original && parseRtp(original);
    const number = Buffer.alloc(lost ? 2 : 0);
    if (lost) number.writeUInt16BE(lost.sequence);
    return writePacket({
      type: types.repair,
      ssrc: layer.ssrc + 100,
      sequence: layer.sequence,
      timestamp: lost?.timestamp ?? 0,
      isMarker: lost?.isMarker ?? false,
      extension: [ids.repaired, layer.plan.rid],
      payload: lost ? Buffer.concat([number, lost.payload]) : number,
    });
  }

  /** Off by up to 0.2 ms, as those of browsers. */
  report(layer: SentLayer): number | undefined {
    const errorTicks = (layer.ssrc % 3) * 9;
    const report: SenderReport = {
      type: 'sender-report',
      ssrc: layer.ssrc,
      ntpMs: 3_900_000_000_000 + this.nowMs,
      ntpMiddle: 1,
      rtpTimestamp: (layer.timestampAt(this.nowMs) + errorTicks) >>> 0,
      packets: 0,
      octets: 0,
      reports: [],
    };
    return this.video.onSenderReport(report, this.nowMs);
  }

  #onRtcp(bytes: Buffer): void {
    for (const packet of parseRtcp(bytes)) {
      if (packet.type === 'nack') this.asked.nacks += 1;
      if (packet.type !== 'keyframe-request') continue;
      this.asked.keyframes.push(packet.mediaSsrc);
      // A request for one layer causes keyframes in all of them.
      if (this.isAskable) for (const layer of this.layers) layer.needsKeyframe = true;
    }
  }
}
