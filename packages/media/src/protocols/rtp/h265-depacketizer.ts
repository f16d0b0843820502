import { hevcRecordOf, parseHevcRecord } from '../../codecs/h265.ts';
import { h265NalType, isH265Irap, joinNals } from '../../codecs/nal.ts';
import { NalDepacketizer, type NalPicture } from './nal-depacketizer.ts';
import { h265Form } from './nal-form.ts';
import type { RtpPacket } from './rtp-packet.ts';
import type { ReceivedPicture, VideoDepacketizer } from './video-depacketizer.ts';

const vps = 32;
const sps = 33;
const pps = 34;
const delimiter = 35;
const filler = 38;

/** H.265 over RTP (RFC 7798), without the decoding order numbers that nobody uses in WebRTC. */
export class H265Depacketizer implements VideoDepacketizer {
  readonly #nals = new NalDepacketizer(h265Form);
  readonly #sets = new Map<number, Buffer>();
  #record: Buffer | undefined;
  /** A picture may have lost its beginning; only one that comes with its parameter sets surely has not. */
  #isDamaged = true;

  push(packet: RtpPacket): ReceivedPicture[] {
    return this.#nals.push(packet).flatMap((picture) => this.#read(picture));
  }

  lose(): void {
    this.#nals.lose();
    this.#isDamaged = true;
  }

  #read({ timestamp, nals }: NalPicture): ReceivedPicture[] {
    let hasRandomAccess = false;
    const pictures: Buffer[] = [];
    for (const nal of nals) {
      const header = nal[0] ?? 0;
      const type = h265NalType(header);
      if (type === vps || type === sps || type === pps) this.#sets.set(type, nal);
      else if (type !== delimiter && type !== filler) pictures.push(nal);
      if (type === sps) this.#isDamaged = false;
      if (isH265Irap(header)) hasRandomAccess = true;
    }
    if (pictures.length === 0) return [];
    const isKeyframe = hasRandomAccess && !this.#isDamaged;
    return [{ timestamp, isKeyframe, payload: joinNals(pictures), config: isKeyframe ? this.#newConfig() : undefined }];
  }

  #newConfig() {
    const [first, second, third] = [this.#sets.get(vps), this.#sets.get(sps), this.#sets.get(pps)];
    if (!first || !second || !third) return undefined;
    const record = hevcRecordOf([first], [second], [third]);
    if (this.#record?.equals(record)) return undefined;
    const facts = parseHevcRecord(record);
    this.#record = record;
    return { kind: 'video', codec: 'h265', record, ...facts } as const;
  }
}
