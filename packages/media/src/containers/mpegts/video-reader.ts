import { parseAvcRecord, writeAvcRecord } from '../../codecs/h264.ts';
import { parseHevcRecord, writeHevcRecord } from '../../codecs/h265.ts';
import {
  h264NalType,
  h265NalType,
  isH264Idr,
  isH264RecoveryPoint,
  isH265Irap,
  joinNals,
  splitAnnexB,
} from '../../codecs/nal.ts';
import type { Demuxed, VideoConfig } from '../../frame.ts';

/** More parameter sets than this are leftovers of configurations that are gone. */
const maxSets = 16;

/** More than the header of any slice takes. */
const leastSliceBytes = 64;

interface ParameterSets {
  readonly vps: Buffer[];
  readonly sps: Buffer[];
  readonly pps: Buffer[];
}

type Role = 'vps' | 'sps' | 'pps' | 'dropped' | 'kept';

/** Delimiters, ends of sequence and filler mean nothing outside a byte stream. */
const h264Roles = new Map<number, Role>([
  [7, 'sps'],
  [8, 'pps'],
  [9, 'dropped'],
  [10, 'dropped'],
  [11, 'dropped'],
  [12, 'dropped'],
]);

const h265Roles = new Map<number, Role>([
  [32, 'vps'],
  [33, 'sps'],
  [34, 'pps'],
  [35, 'dropped'],
  [36, 'dropped'],
  [37, 'dropped'],
  [38, 'dropped'],
]);

/** Access units in Annex B → canonical frames, and a config whenever the parameter sets change. */
export class VideoReader {
  readonly #codec: 'h264' | 'h265';
  #sets: ParameterSets = { vps: [], sps: [], pps: [] };
  #record: Buffer | undefined;

  constructor(codec: 'h264' | 'h265') {
    this.#codec = codec;
  }

  /** `isCut`: the end of the access unit is missing. */
  read(accessUnit: Buffer, ptsMs: number, dtsMs: number, out: Demuxed[], isCut = false): void {
    const isH265 = this.#codec === 'h265';
    const found: ParameterSets = { vps: [], sps: [], pps: [] };
    const kept: Buffer[] = [];
    let isKeyframe = false;
    const nals = splitAnnexB(accessUnit);
    // Half a parameter set would change how everything is decoded; half a slice is as good as a damaged one.
    if (isCut && !this.#isSlice(nals.at(-1))) nals.pop();
    for (const nal of nals) {
      const header = nal.readUInt8(0);
      const role = (isH265 ? h265Roles.get(h265NalType(header)) : h264Roles.get(h264NalType(header))) ?? 'kept';
      if (role === 'kept') {
        kept.push(nal);
        if (isH265 ? isH265Irap(header) : isH264Idr(header) || isH264RecoveryPoint(nal)) isKeyframe = true;
      } else if (role !== 'dropped') {
        addSet(found[role], nal);
      }
    }
    this.#update(found, out);
    if (isCut && !kept.some((nal) => this.#isSlice(nal))) return;
    if (kept.length === 0 || !this.#record) return;
    const payload = joinNals(kept);
    out.push({ type: 'frame', frame: { kind: 'video', codec: this.#codec, dtsMs, ptsMs, isKeyframe, payload } });
  }

  /** True if the NAL unit is a slice that is long enough for its header. */
  #isSlice(nal: Buffer | undefined): boolean {
    if (!nal || nal.length < leastSliceBytes) return false;
    const header = nal.readUInt8(0);
    const type = this.#codec === 'h265' ? h265NalType(header) : h264NalType(header);
    return this.#codec === 'h265' ? type < 32 : type >= 1 && type <= 5;
  }

  /** A new SPS begins a new configuration; other sets that come alone are added to the one we have. */
  #update(found: ParameterSets, out: Demuxed[]): void {
    if (found.vps.length + found.sps.length + found.pps.length === 0) return;
    const old = this.#sets;
    const isNew = found.sps.length > 0;
    const sets = {
      vps: found.vps.length > 0 ? found.vps : old.vps,
      sps: isNew ? found.sps : old.sps,
      pps: isNew && found.pps.length > 0 ? found.pps : [...old.pps],
    };
    if (!isNew) for (const pps of found.pps) addSet(sets.pps, pps);
    this.#sets = sets;
    if (sets.sps.length === 0 || sets.pps.length === 0) return;
    const record =
      this.#codec === 'h265' ? writeHevcRecord(sets.vps, sets.sps, sets.pps) : writeAvcRecord(sets.sps, sets.pps);
    if (this.#record?.equals(record)) return;
    const facts = this.#codec === 'h265' ? parseHevcRecord(record) : parseAvcRecord(record);
    this.#record = record;
    const config: VideoConfig = { kind: 'video', codec: this.#codec, record, ...facts };
    out.push({ type: 'config', config });
  }
}

/** Copied, because the access unit's bytes are reused. */
function addSet(sets: Buffer[], nal: Buffer): void {
  if (sets.some((set) => set.equals(nal))) return;
  sets.push(Buffer.from(nal));
  if (sets.length > maxSets) sets.shift();
}
