import { h264NalType, h265NalType } from '../../codecs/nal.ts';

/**
 * NAL units in RTP payloads of one codec: single, aggregated or fragmented. H.264 is RFC 6184, H.265 RFC 7798; they
 * differ in header lengths and type numbers.
 */
export interface NalLayout {
  readonly headerBytes: number;
  readonly aggregationType: number;
  readonly fragmentType: number;
  typeOf(header: number): number;
  /** Writes the header of an aggregation whose units are given. */
  writeAggregation(out: Buffer, at: number, nals: readonly Buffer[]): void;
  /** Writes the payload header of a fragment of `nal`; the octet after it tells first and last. */
  writeFragment(out: Buffer, at: number, nal: Buffer): void;
  /** Writes the header of the unit that a fragment belongs to. */
  restoreHeader(out: Buffer, payload: Buffer): void;
}

/** FU-A and STAP-A. A header is `F:1 NRI:2 type:5`. */
export const h264Layout: NalLayout = {
  headerBytes: 1,
  aggregationType: 24,
  fragmentType: 28,
  typeOf: h264NalType,
  writeAggregation(out, at, nals) {
    let importance = 0;
    for (const nal of nals) importance = Math.max(importance, (nal[0] ?? 0) & 0x60);
    out[at] = importance | 24;
  },
  writeFragment(out, at, nal) {
    out[at] = ((nal[0] ?? 0) & 0x60) | 28;
  },
  restoreHeader(out, payload) {
    out[0] = ((payload[0] ?? 0) & 0xe0) | ((payload[1] ?? 0) & 0x1f);
  },
};

/** FU and AP. A header is `F:1 type:6 layer:6 temporal:3`. */
export const h265Layout: NalLayout = {
  headerBytes: 2,
  aggregationType: 48,
  fragmentType: 49,
  typeOf: h265NalType,
  writeAggregation(out, at, nals) {
    // Layer and temporal id are the lowest of the units inside (RFC 7798, 4.4.2).
    let temporal = 7;
    for (const nal of nals) temporal = Math.min(temporal, (nal[1] ?? 1) & 7);
    out[at] = 48 << 1;
    out[at + 1] = temporal;
  },
  writeFragment(out, at, nal) {
    out[at] = ((nal[0] ?? 0) & 0x81) | (49 << 1);
    out[at + 1] = nal[1] ?? 1;
  },
  restoreHeader(out, payload) {
    out[0] = ((payload[0] ?? 0) & 0x81) | (((payload[2] ?? 0) & 0x3f) << 1);
    out[1] = payload[1] ?? 1;
  },
};
