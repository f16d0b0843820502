import type { OfferedCodec, OfferedMedia } from './sdp-offer.ts';

/** Encoding of a simulcast sender, named by its rid (RFC 8851). */
export interface OfferedLayer {
  readonly rid: string;
  /** Payload types it may use; all where it names none. */
  readonly payloadTypes: readonly number[];
}

/** A header extension and its number. */
interface Extension {
  readonly id: number;
  readonly name: string;
}

/** Agreement for a publisher that sends several encodings of one video. */
export interface ChosenSimulcast {
  /** In the order of the offer, which says nothing of their sizes. */
  readonly rids: readonly string[];
  readonly mid: Extension | undefined;
  readonly rid: Extension;
  /** Extension id for the rid of retransmitted packets. */
  readonly repairedRid: Extension | undefined;
}

const mostLayers = 4;
/** Limits of alternatives and layers; further ones are ignored. */
const mostListed = 64;
/** Largest id of a one-byte header extension (RFC 8285, 4.2). */
const ridPattern = /^[A-Za-z0-9_-]{1,16}$/;
const extensionNames = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  repairedRid: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
};

type Attributes = readonly (readonly [name: string, value: string])[];

/** `a=rid:h send`, `a=simulcast:send h;~m,x;l`: the layers to be sent, the first of each list of alternatives (RFC 8853). */
export function readSimulcast(attributes: Attributes): OfferedLayer[] {
  const offered = readRids(attributes);
  const value = attributes.find(([name]) => name === 'simulcast')?.[1] ?? '';
  const words = value.split(' ', 4);
  const list = words[words.indexOf('send') + 1];
  if (!words.includes('send') || list === undefined) return [];
  const layers = new Map<string, OfferedLayer>();
  for (const alternatives of list.split(';', mostListed)) {
    // A tilde marks a layer that is paused at first.
    const rids = alternatives.split(',', mostListed).map((rid) => (rid.startsWith('~') ? rid.slice(1) : rid));
    const rid = rids.find((name) => offered.has(name));
    const payloadTypes = offered.get(rid ?? '');
    if (rid !== undefined && payloadTypes && layers.size < mostLayers) layers.set(rid, { rid, payloadTypes });
  }
  return [...layers.values()];
}

/** Names that are sent, and the payload types they are limited to. */
function readRids(attributes: Attributes): Map<string, number[]> {
  const rids = new Map<string, number[]>();
  for (const [name, value] of attributes) {
    if (name !== 'rid' || rids.size >= mostListed) continue;
    const [rid = '', direction = '', restrictions = ''] = value.split(' ', 3);
    if (direction !== 'send' || !ridPattern.test(rid)) continue;
    const types = /(?:^|;)pt=([\d,]{1,256})(?:;|$)/.exec(restrictions)?.[1]?.split(',') ?? [];
    rids.set(rid, types.map(Number));
  }
  return rids;
}

/** Undefined where there is only one layer, or nothing in its packets that would tell one from another. */
export function chooseSimulcast(
  { layers, extensions }: OfferedMedia,
  { payloadType }: OfferedCodec,
): ChosenSimulcast | undefined {
  const extension = (name: string): Extension | undefined => {
    const id = extensions.get(name);
    return id === undefined ? undefined : { id, name };
  };
  const rids = layers
    .filter(({ payloadTypes }) => payloadTypes.length === 0 || payloadTypes.includes(payloadType))
    .map(({ rid }) => rid);
  const rid = extension(extensionNames.rid);
  if (rids.length < 2 || !rid) return undefined;
  const repairedRid = extension(extensionNames.repairedRid);
  return {
    rids,
    rid,
    mid: extension(extensionNames.mid),
    repairedRid: repairedRid?.id === rid.id ? undefined : repairedRid,
  };
}

/** The lines of an answer that takes all of them. */
export function simulcastLines({ rids, mid, rid, repairedRid }: ChosenSimulcast): string[] {
  return [
    ...[mid, rid, repairedRid].flatMap((extension) =>
      extension ? [`a=extmap:${extension.id} ${extension.name}`] : [],
    ),
    ...rids.map((name) => `a=rid:${name} recv`),
    `a=simulcast:recv ${rids.join(';')}`,
  ];
}
