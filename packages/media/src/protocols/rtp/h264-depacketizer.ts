import { avcRecordOf, parseAvcRecord } from '../../codecs/h264.ts';
import { h264NalType, joinNals } from '../../codecs/nal.ts';
import { NalDepacketizer, type NalPicture } from './nal-depacketizer.ts';
import { h264Form } from './nal-form.ts';
import type { RtpPacket } from './rtp-packet.ts';
import type { ReceivedPicture, VideoDepacketizer } from './video-depacketizer.ts';

const idr = 5;
const sps = 7;
const pps = 8;
const delimiter = 9;
const filler = 12;

/** H.264 over RTP (RFC 6184). Parameter sets come in band and become the config. */
export class H264Depacketizer implements VideoDepacketizer {
  readonly #nals = new NalDepacketizer(h264Form);
  #sps: Buffer | undefined;
  #pps: Buffer | undefined;
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
      const type = h264NalType(nal[0] ?? 0);
      if (type === sps) {
        this.#sps = nal;
        this.#isDamaged = false;
      }
      if (type === pps) this.#pps = nal;
      if (isPicturePart(type)) pictures.push(nal);
      if (type === idr) hasRandomAccess = true;
    }
    if (pictures.length === 0) return [];
    const isKeyframe = hasRandomAccess && !this.#isDamaged;
    return [{ timestamp, isKeyframe, payload: joinNals(pictures), config: isKeyframe ? this.#newConfig() : undefined }];
  }

  #newConfig() {
    if (!this.#sps || !this.#pps) return undefined;
    const record = avcRecordOf([this.#sps], [this.#pps]);
    if (this.#record?.equals(record)) return undefined;
    const facts = parseAvcRecord(record);
    this.#record = record;
    return { kind: 'video', codec: 'h264', record, ...facts } as const;
  }
}

/** Slices and what belongs to them; parameter sets are in the config. */
function isPicturePart(type: number): boolean {
  return type !== sps && type !== pps && type !== delimiter && type !== filler;
}
