import { MalformedMedia, type TrackConfig } from '../frame.ts';
import { parseAudioSpecificConfig } from './aac.ts';
import { BitReader } from './bit-reader.ts';

/** The name of a track for `CODECS` and `isTypeSupported` (RFC 6381): `avc1.64001f`, `hvc1.1.6.L93.B0`, `mp4a.40.2`. */
export function codecString(config: TrackConfig): string {
  switch (config.codec) {
    case 'h264':
      if (config.record.length < 4) throw new MalformedMedia('avcC is cut off');
      return `avc1.${config.record.toString('hex', 1, 4)}`;
    case 'h265':
      return hevcString(config.record);
    case 'av1':
      return av1String(config.record);
    case 'vp9':
      return vp9String(config.record);
    case 'aac':
      return `mp4a.40.${aacObjectType(config.record)}`;
    case 'mp3':
      return 'mp4a.40.34';
    case 'opus':
      return 'opus';
  }
}

/** ISO 14496-15 annex E: profile, compatibility bits reversed, tier and level, constraints without zeros at their end. */
function hevcString(record: Buffer): string {
  if (record.length < 13) throw new MalformedMedia('hvcC is cut off');
  const reader = new BitReader(record.subarray(1, 13));
  const space = ['', 'A', 'B', 'C'][reader.bits(2)] ?? '';
  const tier = reader.flag() ? 'H' : 'L';
  const profile = reader.bits(5);
  let compatibility = 0;
  for (let bit = 0; bit < 32; bit++) compatibility += reader.bits(1) * 2 ** bit;
  let end = 12;
  while (end > 6 && record[end - 1] === 0) end -= 1;
  const constraints = [...record.subarray(6, end)].map((byte) => `.${byte.toString(16).toUpperCase()}`).join('');
  const level = record.readUInt8(12);
  return `hvc1.${space}${profile}.${compatibility.toString(16).toUpperCase()}.${tier}${level}${constraints}`;
}

/** AV1 in ISOBMFF, section 5; av1C is `marker|version  profile:3 level:5  tier:1 highDepth:1 twelve:1 …`. */
function av1String(record: Buffer): string {
  if (record.length < 4) throw new MalformedMedia('av1C is cut off');
  const [, second = 0, third = 0] = record;
  const depth = (third & 0x40) === 0 ? 8 : (third & 0x20) === 0 ? 10 : 12;
  const tier = (third & 0x80) === 0 ? 'M' : 'H';
  return `av01.${second >> 5}.${twoDigits(second & 0x1f)}${tier}.${twoDigits(depth)}`;
}

/** VP codec ISO binding; vpcC is a full box: `version:8 flags:24  profile:8  level:8  depth:4 …`. */
function vp9String(record: Buffer): string {
  if (record.length < 7) throw new MalformedMedia('vpcC is cut off');
  const [, , , , profile = 0, level = 0, depth = 0] = record;
  return `vp09.${twoDigits(profile)}.${twoDigits(level)}.${twoDigits(depth >> 4)}`;
}

function aacObjectType(record: Buffer): number {
  const { objectType, profile } = parseAudioSpecificConfig(record);
  if (profile === 'HE-AAC') return 5;
  return profile === 'HE-AACv2' ? 29 : objectType;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
