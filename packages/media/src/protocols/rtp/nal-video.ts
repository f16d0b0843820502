import { parseAvcRecord, writeAvcRecord } from '../../codecs/h264.ts';
import { parseHevcRecord, writeHevcRecord } from '../../codecs/h265.ts';
import { h264NalType, isH265Irap, joinNals } from '../../codecs/nal.ts';
import type { VideoConfig } from '../../frame.ts';
import { isSameDecoder } from '../../same-decoder.ts';
import { NalDepacketizer, type NalPicture } from './nal-depacketizer.ts';
import { h264Layout, h265Layout, type NalLayout } from './nal-layout.ts';
import type { RtpPacket } from './rtp-packet.ts';
import type { ReceivedPicture, VideoDepacketizer } from './video-depacketizer.ts';

/** Codec-specific handling of NAL units after depacketisation. */
interface NalDialect {
  readonly layout: NalLayout;
  /** Types of parameter sets, in the order of the record; without one of each there is no config. */
  readonly sets: readonly number[];
  /** The set that only comes with a picture whose beginning is there. */
  readonly sps: number;
  /** Types that are no part of a picture. */
  readonly idle: readonly number[];
  isRandomAccess(header: number): boolean;
  configOf(sets: readonly Buffer[]): VideoConfig;
}

const h264: NalDialect = {
  layout: h264Layout,
  sets: [7, 8],
  sps: 7,
  idle: [9, 12],
  isRandomAccess: (header) => h264NalType(header) === 5,
  configOf([sps, pps]) {
    const record = writeAvcRecord(listOf(sps), listOf(pps));
    return { kind: 'video', codec: 'h264', record, ...parseAvcRecord(record) };
  },
};

const h265: NalDialect = {
  layout: h265Layout,
  sets: [32, 33, 34],
  sps: 33,
  idle: [35, 38],
  isRandomAccess: isH265Irap,
  configOf([vps, sps, pps]) {
    const record = writeHevcRecord(listOf(vps), listOf(sps), listOf(pps));
    return { kind: 'video', codec: 'h265', record, ...parseHevcRecord(record) };
  },
};

/** Parameter sets come in band and become the config. */
class NalVideoDepacketizer implements VideoDepacketizer {
  readonly #dialect: NalDialect;
  readonly #nals: NalDepacketizer;
  readonly #sets = new Map<number, Buffer>();
  #config: VideoConfig | undefined;
  /** A picture may lack its beginning, unless it comes with its parameter sets. */
  #isDamaged = true;

  constructor(dialect: NalDialect) {
    this.#dialect = dialect;
    this.#nals = new NalDepacketizer(dialect.layout);
  }

  push(packet: RtpPacket): ReceivedPicture[] {
    return this.#nals.push(packet).flatMap((picture) => this.#read(picture));
  }

  lose(): void {
    this.#nals.lose();
    this.#isDamaged = true;
  }

  #read({ timestamp, nals }: NalPicture): ReceivedPicture[] {
    const { layout, sets, sps, idle, isRandomAccess } = this.#dialect;
    let hasRandomAccess = false;
    const pictures: Buffer[] = [];
    for (const nal of nals) {
      const header = nal[0] ?? 0;
      const type = layout.typeOf(header);
      if (sets.includes(type)) this.#sets.set(type, nal);
      else if (!idle.includes(type)) pictures.push(nal);
      if (type === sps) this.#isDamaged = false;
      if (isRandomAccess(header)) hasRandomAccess = true;
    }
    if (pictures.length === 0) return [];
    const isKeyframe = hasRandomAccess && !this.#isDamaged;
    return [{ timestamp, isKeyframe, payload: joinNals(pictures), config: isKeyframe ? this.#newConfig() : undefined }];
  }

  /** Undefined while unchanged. */
  #newConfig(): VideoConfig | undefined {
    const sets = this.#dialect.sets.flatMap((type) => listOf(this.#sets.get(type)));
    if (sets.length < this.#dialect.sets.length) return undefined;
    const config = this.#dialect.configOf(sets);
    if (this.#config && isSameDecoder(this.#config, config)) return undefined;
    this.#config = config;
    return config;
  }
}

/** H.264 over RTP (RFC 6184). */
export class H264Depacketizer extends NalVideoDepacketizer {
  constructor() {
    super(h264);
  }
}

/** H.265 over RTP (RFC 7798), without the decoding order numbers that nobody uses in WebRTC. */
export class H265Depacketizer extends NalVideoDepacketizer {
  constructor() {
    super(h265);
  }
}

function listOf(set: Buffer | undefined): Buffer[] {
  return set ? [set] : [];
}
