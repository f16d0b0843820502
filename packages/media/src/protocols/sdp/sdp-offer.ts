import { MalformedMedia } from '../../frame.ts';
import { type OfferedLayer, readSimulcast } from './simulcast.ts';

/** Larger ones are refused before they are read. */
const maxSdpBytes = 64 * 1024;
const maxLines = 2000;
const maxMedia = 16;

/** Codec that the other side offers for a track. */
export interface OfferedCodec {
  readonly payloadType: number;
  /** In lower case: `h264`, `opus`. */
  readonly name: string;
  readonly clockRate: number;
  readonly channels: number;
  /** The text of its `fmtp`, and the same as pairs. */
  readonly format: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** `nack`, `nack pli`, `goog-remb` … */
  readonly feedback: ReadonlySet<string>;
}

export interface OfferedMedia {
  readonly kind: string;
  readonly protocol: string;
  readonly mid: string;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  readonly isRejected: boolean;
  readonly hasRtcpMux: boolean;
  readonly hasReducedSizeRtcp: boolean;
  /** Formats of the line, unchanged, for a refusal. */
  readonly formats: string;
  readonly codecs: readonly OfferedCodec[];
  /** Header extensions of one octet, by their names (RFC 8285). */
  readonly extensions: ReadonlyMap<string, number>;
  /** Encodings of the same video that it would send at once; empty where it offers no simulcast. */
  readonly layers: readonly OfferedLayer[];
}

/** Parts of a browser's offer that an answer needs. All texts are checked and safe to write into another SDP. */
export interface SdpOffer {
  readonly iceUfrag: string;
  readonly icePwd: string;
  readonly fingerprint: { readonly algorithm: string; readonly value: string };
  readonly setup: string;
  readonly media: readonly OfferedMedia[];
}

interface Section {
  readonly kind: string;
  readonly port: string;
  readonly protocol: string;
  readonly formats: string;
  readonly attributes: (readonly [name: string, value: string])[];
}

/** Reads an offer (RFC 8866, RFC 8829); throws MalformedMedia on what cannot be answered. */
export function parseSdpOffer(text: string): SdpOffer {
  if (text.length > maxSdpBytes) throw new MalformedMedia('the offer is too long');
  const { session, sections } = readSections(text);
  const first = (name: string) => {
    for (const { attributes } of [...sections, { attributes: session }]) {
      const found = attributes.find(([key]) => key === name);
      if (found) return found[1];
    }
    return '';
  };
  const [algorithm = '', value = ''] = first('fingerprint').split(' ');
  const offer: SdpOffer = {
    iceUfrag: first('ice-ufrag'),
    icePwd: first('ice-pwd'),
    fingerprint: { algorithm: algorithm.toLowerCase(), value: value.toUpperCase() },
    setup: first('setup'),
    media: sections.map((section, index) => readMedia(section, index)),
  };
  check(offer);
  return offer;
}

function readSections(text: string): { session: Section['attributes']; sections: Section[] } {
  const lines = text.split(/\r?\n/, maxLines + 1);
  if (lines.length > maxLines) throw new MalformedMedia('the offer has too many lines');
  if (lines[0] !== 'v=0') throw new MalformedMedia('this is not an SDP offer');
  const session: Section['attributes'] = [];
  const sections: Section[] = [];
  for (const line of lines) {
    if (line.startsWith('m=')) {
      const [kind = '', port = '', protocol = '', ...formats] = line.slice(2).split(' ');
      if (sections.length >= maxMedia) throw new MalformedMedia('the offer has too many media');
      sections.push({ kind, port, protocol, formats: formats.join(' '), attributes: [] });
    } else if (line.startsWith('a=')) {
      const colon = line.indexOf(':');
      const name = line.slice(2, colon < 0 ? undefined : colon);
      (sections.at(-1)?.attributes ?? session).push([name, colon < 0 ? '' : line.slice(colon + 1).trim()]);
    }
  }
  return { session, sections };
}

function readMedia({ kind, port, protocol, formats, attributes }: Section, index: number): OfferedMedia {
  const has = (name: string) => attributes.some(([key]) => key === name);
  const direction = (['sendonly', 'recvonly', 'inactive'] as const).find(has) ?? 'sendrecv';
  return {
    kind,
    protocol,
    mid: attributes.find(([key]) => key === 'mid')?.[1] ?? String(index),
    direction,
    isRejected: port === '0',
    hasRtcpMux: has('rtcp-mux'),
    hasReducedSizeRtcp: has('rtcp-rsize'),
    formats,
    extensions: readExtensions(attributes),
    layers: kind === 'video' ? readSimulcast(attributes) : [],
    codecs: kind === 'audio' || kind === 'video' ? readCodecs(formats, attributes) : [],
  };
}

/** `id uri`, or `id/direction uri`; what could not be written into another SDP is left out. */
function readExtensions(attributes: Section['attributes']): Map<string, number> {
  return new Map(
    attributes.flatMap(([name, value]) => {
      const match = name === 'extmap' ? /^(\d{1,2})(?:\/[a-z]+)? ([\x21-\x7e]{1,128})$/.exec(value) : null;
      const id = Number(match?.[1] ?? 0);
      return id >= 1 && id <= 14 ? [[match?.[2] ?? '', id] as const] : [];
    }),
  );
}

function readCodecs(formats: string, attributes: Section['attributes']): OfferedCodec[] {
  const valuesOf = (name: string) => {
    const values = new Map<string, string[]>();
    for (const [key, value] of attributes) {
      if (key !== name) continue;
      const [type = '', ...rest] = value.split(' ');
      values.set(type, [...(values.get(type) ?? []), rest.join(' ')]);
    }
    return values;
  };
  const maps = valuesOf('rtpmap');
  const forms = valuesOf('fmtp');
  const feedback = valuesOf('rtcp-fb');
  return formats.split(' ').flatMap((type) => {
    const match = /^([A-Za-z0-9_-]{1,32})\/(\d{1,6})(?:\/(\d{1,2}))?$/.exec(maps.get(type)?.[0] ?? '');
    if (!match || !/^\d{1,3}$/.test(type) || Number(type) > 127) return [];
    const format = forms.get(type)?.[0] ?? '';
    return [
      {
        payloadType: Number(type),
        name: (match[1] ?? '').toLowerCase(),
        clockRate: Number(match[2]),
        channels: Number(match[3] ?? 1),
        format: /^[\x21-\x7e ]{0,512}$/.test(format) ? format : '',
        parameters: readParameters(format),
        feedback: new Set([...(feedback.get(type) ?? []), ...(feedback.get('*') ?? [])]),
      },
    ];
  });
}

function readParameters(format: string): Map<string, string> {
  return new Map(
    format.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.trim().toLowerCase(), value.trim()];
    }),
  );
}

/** Values that go into another SDP or to the ICE agent must not carry line breaks or further attributes. */
function check({ iceUfrag, icePwd, fingerprint, setup, media }: SdpOffer): void {
  if (!/^[A-Za-z0-9+/_=-]{4,256}$/.test(iceUfrag) || !/^[A-Za-z0-9+/_=-]{22,256}$/.test(icePwd))
    throw new MalformedMedia('the offer has no usable ICE credentials');
  if (
    !/^sha-(1|224|256|384|512)$/.test(fingerprint.algorithm) ||
    !/^[0-9A-F]{2}(:[0-9A-F]{2}){19,63}$/.test(fingerprint.value)
  )
    throw new MalformedMedia('the offer has no usable DTLS fingerprint');
  if (!['actpass', 'active', 'passive'].includes(setup)) throw new MalformedMedia('the offer has no usable DTLS role');
  if (media.length === 0) throw new MalformedMedia('the offer has no media');
  const mids = new Set(media.map(({ mid }) => mid));
  if (mids.size !== media.length || media.some(({ mid }) => !/^[\x21-\x7e]{1,64}$/.test(mid)))
    throw new MalformedMedia('the media sections of the offer need unique names (a=mid)');
  for (const { kind, protocol, formats } of media)
    if (!/^[a-z]{1,16}$/.test(kind) || !/^[A-Z/]{1,32}$/.test(protocol) || !/^[A-Za-z0-9 -]{1,1024}$/.test(formats))
      throw new MalformedMedia('a media line of the offer cannot be read');
}
