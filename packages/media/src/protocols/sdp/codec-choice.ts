import type { VideoCodec } from '../../frame.ts';
import type { OfferedCodec, OfferedMedia } from './sdp-offer.ts';

const names: Readonly<Record<VideoCodec, readonly string[]>> = {
  h264: ['h264'],
  h265: ['h265', 'hevc'],
  av1: ['av1', 'av1x'],
  vp9: ['vp9'],
};

export interface ChosenVideo {
  readonly codec: VideoCodec;
  readonly offered: OfferedCodec;
}

/**
 * The codec a publisher shall use: H.264 plays everywhere, so it is taken whenever it is offered; otherwise the first that
 * we can relay, in the publisher's own order.
 */
export function chooseToReceive({ codecs }: OfferedMedia, able: readonly VideoCodec[]): ChosenVideo | undefined {
  const h264 = codecs.filter(({ name }) => name === 'h264');
  const fragmented = h264.find(isFragmented) ?? h264[0];
  if (fragmented) return { codec: 'h264', offered: fragmented };
  for (const offered of codecs) {
    const codec = able.find((candidate) => names[candidate].includes(offered.name));
    if (codec && isPlain(codec, offered)) return { codec, offered };
  }
  return undefined;
}

/**
 * Chooses the payload type for sending this codec to a viewer; undefined if it cannot receive it. `profile` is the
 * first octet of H.264's profile-level-id: decoders accept more than they announce, so another profile will do.
 */
export function chooseToSend({ codecs }: OfferedMedia, codec: VideoCodec, profile?: number): OfferedCodec | undefined {
  const fitting = codecs.filter((offered) => names[codec].includes(offered.name) && isPlain(codec, offered));
  if (codec !== 'h264') return fitting[0];
  // Clients that name only the mode without fragments accept fragments all the same, and larger frames would not fit
  // into packets otherwise.
  const fragmented = fitting.filter(isFragmented);
  const usable = fragmented.length > 0 ? fragmented : fitting;
  return (
    usable.find((offered) => profileOf(offered) === profile) ??
    usable.find((offered) => profileOf(offered) === 0x42) ??
    usable[0]
  );
}

export function chooseOpus({ codecs }: OfferedMedia): OfferedCodec | undefined {
  return codecs.find(({ name, clockRate }) => name === 'opus' && clockRate === 48_000);
}

/** Payload type for retransmissions of this codec (RFC 4588). */
export function chooseRepair(
  { codecs }: OfferedMedia,
  { payloadType, clockRate }: OfferedCodec,
): OfferedCodec | undefined {
  return codecs.find(
    (offered) =>
      offered.name === 'rtx' &&
      offered.clockRate === clockRate &&
      offered.parameters.get('apt') === String(payloadType),
  );
}

/** Large pictures need packetization mode 1 (RFC 6184, 6.3). */
function isFragmented({ parameters }: OfferedCodec): boolean {
  return parameters.get('packetization-mode') === '1';
}

function profileOf({ parameters }: OfferedCodec): number {
  const id = parameters.get('profile-level-id') ?? '';
  // Without it the profile is Baseline (RFC 6184, 8.1).
  return /^[0-9a-f]{6}$/i.test(id) ? Number.parseInt(id.slice(0, 2), 16) : 0x42;
}

/** Profiles with more than 8 bits or with full colour are for few. */
function isPlain(codec: VideoCodec, { parameters }: OfferedCodec): boolean {
  if (codec === 'vp9') return (parameters.get('profile-id') ?? '0') === '0';
  if (codec === 'av1') return (parameters.get('profile') ?? '0') === '0';
  return true;
}
