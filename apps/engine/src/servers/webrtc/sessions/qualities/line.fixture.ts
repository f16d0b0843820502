import { joinNals, type MediaFrame } from '@weir/media';
import { parseRtp, writeArrivals } from '@weir/media/rtp';
import { vi } from 'vitest';
import { sound } from '../../../../hub/frames.fixture.ts';
import { RtpPackager } from '../../../../packagers/rtp/rtp-packager.ts';
import { MirroredStream } from '../../../../workers/worker/mirrored-streams.ts';
import { avcConfig } from '../../webrtc.fixture.ts';
import { WebRtcViewer } from '../webrtc-viewer.ts';
import { ViewerQualities } from './viewer-qualities.ts';

const types = { video: 102, repair: 103 };
const ssrcs = { video: 1, audio: 2, repair: 5 };
const frameMs = 40;
const groupMs = 2000;
const oneWayMs = 10;
const mostQueueMs = 400;
const reportMs = 50;
const headerBytes = 28;

const layers = [
  { name: '', kbps: 2500, width: 1280, height: 720 },
  { name: '360p', kbps: 800, width: 640, height: 360 },
  { name: '180p', kbps: 250, width: 320, height: 180 },
] as const;

interface Shown {
  readonly layer: number;
  readonly atMs: number;
}

interface Sent {
  readonly number: number;
  readonly arrivesMs: number | undefined;
}

/** A viewer of three qualities behind a line whose rate changes, on a clock that the test moves. */
export class QualityLine {
  kbps = 100_000;
  /** Whole pictures as they arrive. */
  readonly shown: Shown[] = [];
  /** Packets of audio as they arrive. */
  readonly heard: { readonly sequence: number; readonly atMs: number }[] = [];
  readonly viewer: WebRtcViewer;
  /** Ids of the pictures as they were sent, of VP9. */
  readonly ids: number[] = [];
  readonly counters = { bytesIn: 0, bytesOut: 0, droppedFrames: 0, behindMs: 0 };
  readonly #streams: readonly MirroredStream[];
  readonly #packagers = new Map<MirroredStream, RtpPackager>();
  readonly #codec: 'h264' | 'vp9';
  #busyUntilMs = 0;
  #streamMs = 0;
  /** Arrivals by transport number, undefined for lost ones; what has not been reported yet. */
  #sent: Sent[] = [];
  /** The last one of the report before. */
  #told: Sent | undefined;
  #reports = 0;
  /** The picture that is arriving: its layer, and whether a packet of it is missing. */
  #isBroken = true;
  #lastSequence: number | undefined;

  constructor(pinned?: string, codec: 'h264' | 'vp9' = 'h264') {
    this.#codec = codec;
    const fault = (error: unknown) => {
      throw error;
    };
    this.#streams = layers.map(({ width, height }) => {
      const stream = new MirroredStream('', fault);
      stream.config({ ...avcConfig, codec, width, height });
      return stream;
    });
    const [main, ...lower] = this.#streams;
    if (!main) throw new Error('no stream');
    for (const [n, stream] of lower.entries()) main.lower.set(layers[n + 1]?.name ?? '', stream);
    const packagerOf = (view: MirroredStream) => {
      const packager = this.#packagers.get(view) ?? new RtpPackager(view, () => this.#packagers.delete(view));
      this.#packagers.set(view, packager);
      return packager;
    };
    this.pass(6000);
    this.viewer = new WebRtcViewer({
      packager: packagerOf(main),
      qualities: new ViewerQualities({ view: main, packagerOf, pinned }),
      transport: {
        sendRtp: (header, payload) => this.#send(Buffer.concat([header, payload])),
        sendRtcp: () => true,
      },
      video: {
        payloadType: types.video,
        ssrc: ssrcs.video,
        repair: { payloadType: types.repair, ssrc: ssrcs.repair },
        transportNumber: 3,
      },
      audio: { payloadType: 111, ssrc: ssrcs.audio },
      cname: 'name',
      counters: this.counters,
      // Publishers over RTMP cannot be asked.
      requestKeyframe: () => false,
      onOver: () => undefined,
    });
    this.viewer.start();
  }

  /** Layer of the newest picture. */
  get layer(): number | undefined {
    return this.shown.at(-1)?.layer;
  }

  get nowMs(): number {
    return performance.now();
  }

  /** A quality pauses, and its feed ends. */
  end(layer: number): void {
    const stream = this.#streams[layer];
    this.#streams[0]?.lower.delete(layers[layer]?.name ?? '');
    stream?.close();
  }

  /** Longest time without a new picture since then. */
  longestGapMs(sinceMs: number): number {
    const times = this.shown.filter(({ atMs }) => atMs >= sinceMs).map(({ atMs }) => atMs);
    return Math.max(0, ...times.slice(1).map((ms, n) => ms - (times[n] ?? ms)));
  }

  pass(ms: number): void {
    for (let passedMs = 0; passedMs < ms; passedMs += 5) {
      vi.advanceTimersByTime(5);
      const nowMs = Math.round(this.nowMs);
      if (nowMs % frameMs === 0) this.#publish();
      if (nowMs % reportMs === 0) this.#report();
      if (nowMs % 250 === 0) this.viewer?.tick(nowMs);
    }
  }

  #publish(): void {
    const ms = this.#streamMs;
    this.#streamMs += frameMs;
    const isKeyframe = ms % groupMs === 0;
    for (const [n, { kbps }] of layers.entries()) {
      const even = (kbps * frameMs) / 8;
      // A keyframe is as large as six other frames; the sum is the rate.
      const frames = groupMs / frameMs;
      const bytes = Math.round((even * frames * (isKeyframe ? 6 : 1)) / (frames + 5));
      this.#streams[n]?.frame({ ...pictureOf(n, ms, isKeyframe, bytes), codec: this.#codec });
    }
    this.#streams[0]?.frame({ ...sound(ms, 160), codec: 'opus' });
    this.#streams[0]?.frame({ ...sound(ms + 20, 160), codec: 'opus' });
  }

  #send(bytes: Buffer): boolean {
    const nowMs = this.nowMs;
    const startMs = Math.max(this.#busyUntilMs, nowMs);
    const endMs = startMs + ((bytes.length + headerBytes) * 8) / this.kbps;
    const isLost = endMs - nowMs > mostQueueMs;
    if (!isLost) this.#busyUntilMs = endMs;
    const arrivesMs = endMs + oneWayMs;
    const packet = parseRtp(bytes);
    if (!packet) return true;
    const hasNumber = ((bytes[0] ?? 0) & 0x10) !== 0;
    if (hasNumber) this.#sent.push({ number: bytes.readUInt16BE(17), arrivesMs: isLost ? undefined : arrivesMs });
    if (packet.ssrc === ssrcs.audio && !isLost) this.heard.push({ sequence: packet.sequence, atMs: arrivesMs });
    if (packet.ssrc === ssrcs.video) {
      const { sequence, isMarker, payload } = packet;
      // Lost packets are not repaired here and break pictures until the next keyframe.
      const isNext = this.#lastSequence === undefined || ((sequence - this.#lastSequence) & 0xffff) === 1;
      const first = payload[0] ?? 0;
      const isVp9 = this.#codec === 'vp9';
      if (isVp9 && (first & 0x08) !== 0) this.ids.push(payload.readUInt16BE(1) & 0x7fff);
      const isEntry = isVp9 ? (first & 0x48) === 0x08 : first === 0x78 || (first & 0x1f) === 7;
      if (isEntry) this.#isBroken = isLost;
      else if (isLost || !isNext) this.#isBroken = true;
      this.#lastSequence = sequence;
      if (isMarker && !this.#isBroken) this.shown.push({ layer: (payload.at(-1) ?? 0) - 0xa0, atMs: arrivesMs });
    }
    return true;
  }

  #report(): void {
    const nowMs = this.nowMs;
    const due = this.#sent.filter(({ arrivesMs }) => arrivesMs === undefined || arrivesMs <= nowMs - oneWayMs);
    const known = due.findLastIndex(({ arrivesMs }) => arrivesMs !== undefined);
    const fresh = due.slice(0, known + 1);
    this.#sent = this.#sent.filter((each) => !fresh.includes(each));
    // A report begins with a packet that arrived.
    const told = fresh[0]?.arrivesMs === undefined && this.#told ? [this.#told, ...fresh] : fresh;
    this.#told = told.at(-1);
    const [first] = told;
    if (!first || !this.viewer) return;
    const report = { base: first.number, arrivalsMs: told.map(({ arrivesMs }) => arrivesMs) };
    this.viewer.onPacket(writeArrivals({ ours: 9, media: ssrcs.video }, report, this.#reports++), nowMs);
  }
}

function pictureOf(layer: number, ms: number, isKeyframe: boolean, bytes: number): MediaFrame {
  const slice = Buffer.alloc(bytes, 0xa0 + layer);
  slice[0] = isKeyframe ? 0x65 : 0x41;
  return { kind: 'video', codec: 'h264', dtsMs: ms, ptsMs: ms, isKeyframe, payload: joinNals([slice]) };
}
