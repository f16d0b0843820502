import type { OfferedCodec, OfferedMedia, SdpOffer } from './sdp-offer.ts';
import { type ChosenSimulcast, simulcastLines } from './simulcast.ts';

/** Answer for one offered media section; without a codec it is refused. */
export interface AnsweredMedia {
  readonly codec: OfferedCodec | undefined;
  readonly direction: 'sendonly' | 'recvonly';
  /** Our format parameters; those of the offer when absent. */
  readonly format?: string;
  /** SSRC that we send with. */
  readonly ssrc?: number;
  /** Payload type of retransmissions, and their SSRC where we are the sender. */
  readonly repair?: { readonly codec: OfferedCodec; readonly ssrc?: number } | undefined;
  /** Packets carry a number of the transport, and receivers tell when each arrived. */
  readonly transportNumber?: { readonly id: number; readonly name: string } | undefined;
  /** All layers are taken. */
  readonly simulcast?: ChosenSimulcast | undefined;
  /** Packets tell how long video is to be held back. */
  readonly playoutDelay?: { readonly id: number; readonly name: string } | undefined;
}

interface Candidate {
  readonly address: string;
  readonly port: number;
}

interface AnswerFacts {
  readonly offer: SdpOffer;
  /** Sections in the order of the offer. */
  readonly media: readonly AnsweredMedia[];
  readonly iceUfrag: string;
  readonly icePwd: string;
  /** With its algorithm in front. */
  readonly fingerprint: string;
  /** Ours only answers checks. */
  readonly isIceLite?: boolean;
  readonly candidates: readonly Candidate[];
  readonly streamId: string;
}

/** Feedback we give or act upon; the rest is not agreed to. */
const knownFeedback = ['nack', 'nack pli', 'ccm fir', 'goog-remb'];

/** The answer to an offer: one transport for everything, and the first candidate is the best. */
export function writeSdpAnswer(facts: AnswerFacts): string {
  const { offer, media, streamId } = facts;
  const accepted = offer.media.filter((_, index) => media[index]?.codec !== undefined);
  const lines = [
    'v=0',
    `o=- ${Date.now()} 1 IN IP4 0.0.0.0`,
    's=-',
    't=0 0',
    ...(facts.isIceLite ? ['a=ice-lite'] : []),
    `a=group:BUNDLE ${accepted.map(({ mid }) => mid).join(' ')}`,
    `a=msid-semantic: WMS ${streamId}`,
  ];
  for (const [index, offered] of offer.media.entries()) {
    const answered = media[index];
    if (answered?.codec) lines.push(...accept(offered, answered, answered.codec, facts));
    else lines.push(...refuse(offered));
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** DTLS role: active only where the other side is passive, otherwise we wait for its first packet. */
export function setupOfAnswer({ setup }: Pick<SdpOffer, 'setup'>): 'active' | 'passive' {
  return setup === 'passive' ? 'active' : 'passive';
}

/** A refused media still names a codec: some clients look each of its numbers up, and refuse the whole answer otherwise. */
function refuse({ kind, protocol, formats, mid, codecs: [codec] }: OfferedMedia): string[] {
  return [
    `m=${kind} 0 ${protocol} ${codec?.payloadType ?? formats}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    'a=inactive',
    ...(codec ? codecLines(codec, codec.format) : []),
  ];
}

function codecLines({ payloadType, name, clockRate, channels }: OfferedCodec, format: string): string[] {
  const encoding = `${nameOnWire(name)}/${clockRate}${channels > 1 ? `/${channels}` : ''}`;
  return [`a=rtpmap:${payloadType} ${encoding}`, ...(format === '' ? [] : [`a=fmtp:${payloadType} ${format}`])];
}

function accept(offered: OfferedMedia, answered: AnsweredMedia, codec: OfferedCodec, facts: AnswerFacts): string[] {
  const { kind, protocol, mid, hasReducedSizeRtcp } = offered;
  const { payloadType } = codec;
  const { repair, transportNumber } = answered;
  const repairs = repair ? [repair.codec] : [];
  return [
    `m=${kind} 9 ${protocol} ${[codec, ...repairs].map((each) => each.payloadType).join(' ')}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${answered.direction}`,
    'a=rtcp:9 IN IP4 0.0.0.0',
    'a=rtcp-mux',
    ...(hasReducedSizeRtcp ? ['a=rtcp-rsize'] : []),
    `a=ice-ufrag:${facts.iceUfrag}`,
    `a=ice-pwd:${facts.icePwd}`,
    `a=fingerprint:${facts.fingerprint}`,
    `a=setup:${setupOfAnswer(facts.offer)}`,
    ...codecLines(codec, answered.format ?? codec.format),
    ...repairs.flatMap((each) => codecLines(each, each.format)),
    ...(transportNumber
      ? [`a=extmap:${transportNumber.id} ${transportNumber.name}`, `a=rtcp-fb:${payloadType} transport-cc`]
      : []),
    ...(answered.playoutDelay ? [`a=extmap:${answered.playoutDelay.id} ${answered.playoutDelay.name}`] : []),
    ...knownFeedback.filter((name) => codec.feedback.has(name)).map((name) => `a=rtcp-fb:${payloadType} ${name}`),
    ...(answered.simulcast ? simulcastLines(answered.simulcast) : []),
    ...(repair?.ssrc === undefined ? [] : [`a=ssrc-group:FID ${answered.ssrc} ${repair.ssrc}`]),
    ...(answered.ssrc === undefined ? [] : sourceLines(kind, answered.ssrc, facts.streamId)),
    ...(repair?.ssrc === undefined ? [] : sourceLines(kind, repair.ssrc, facts.streamId).slice(1)),
    ...facts.candidates.map(candidateLine),
    'a=end-of-candidates',
  ];
}

function sourceLines(kind: string, ssrc: number, streamId: string): string[] {
  const track = `${streamId}-${kind}`;
  return [
    `a=msid:${streamId} ${track}`,
    `a=ssrc:${ssrc} cname:${streamId}`,
    `a=ssrc:${ssrc} msid:${streamId} ${track}`,
  ];
}

/** Host candidates of one component (RFC 8445, 5.1.2.1), earlier ones preferred. */
function candidateLine({ address, port }: Candidate, index: number): string {
  const priority = 126 * 2 ** 24 + (65_535 - index) * 256 + 255;
  return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host generation 0`;
}

function nameOnWire(name: string): string {
  return name === 'opus' || name === 'rtx' ? name : name.toUpperCase();
}
