import { MalformedMedia, type VideoCodec } from '@weir/media';
import {
  type AnsweredMedia,
  type ChosenSimulcast,
  type ChosenVideo,
  chooseOpus,
  chooseRepair,
  chooseSimulcast,
  chooseToReceive,
  chooseToSend,
  type OfferedCodec,
  type OfferedMedia,
  parseSdpOffer,
  type SdpOffer,
} from '@weir/media/sdp';
import { badRequest, type Failure } from '../../../http/failures.ts';
import { RequestFailed } from './request-body.ts';

interface Picked<T> {
  readonly media: OfferedMedia;
  readonly chosen: T;
}

/** Codecs that only repair others. */
const repairNames: ReadonlySet<string> = new Set(['RTX', 'RED', 'ULPFEC', 'FLEXFEC-03']);
const mostNamed = 8;

const unusable = (message: string): Failure => ({ status: 422, code: 1004, message });
const nothingUsable = unusable(
  'the offer has no supported codec: offer H.264 (or H.265, AV1, VP9) for video and Opus for audio',
);

/** True if a publisher means to send video with it. */
function sendsVideo({ kind, isRejected, direction }: OfferedMedia): boolean {
  return kind === 'video' && !isRejected && (direction === 'sendonly' || direction === 'sendrecv');
}

function unusableVideo({ media }: SdpOffer): Failure {
  const videos = media.filter(sendsVideo);
  if (!videos.some(({ hasRtcpMux }) => hasRtcpMux))
    return unusable('the video of this offer has no a=rtcp-mux, which is required');
  const names = videos.flatMap(({ codecs }) => codecs.map(({ name }) => name.toUpperCase()));
  const offered = [...new Set(names)].filter((name) => !repairNames.has(name)).slice(0, mostNamed);
  const what = offered.length === 0 ? 'names no codec' : `is ${offered.join(', ')}, which is not supported`;
  return unusable(`the video of this offer ${what}: offer H.264 (or H.265, AV1, VP9)`);
}

export function readOffer(text: string): SdpOffer {
  try {
    return parseSdpOffer(text);
  } catch (error) {
    if (error instanceof MalformedMedia) throw new RequestFailed(badRequest(error.message));
    throw error;
  }
}

/** Negotiates the media of a publisher. */
export function agreeToReceive(offer: SdpOffer) {
  const video = pick<ChosenVideo>(offer, 'video', 'sendonly', (media) =>
    chooseToReceive(media, ['h265', 'av1', 'vp9']),
  );
  const audio = pick(offer, 'audio', 'sendonly', chooseOpus);
  // Taking the audio alone would show viewers nothing, and tell the publisher nothing.
  if (!video && offer.media.some(sendsVideo)) throw new RequestFailed(unusableVideo(offer));
  if (!video && !audio) throw new RequestFailed(nothingUsable);
  const simulcast = video && chooseSimulcast(video.media, video.chosen.offered);
  const { repair, transportNumber } = video ? receivingExtras(video, simulcast) : {};
  const media = offer.media.map((offered): AnsweredMedia => {
    if (offered === video?.media)
      return {
        codec: video.chosen.offered,
        direction: 'recvonly',
        repair: repair && { codec: repair },
        transportNumber,
        ...(simulcast && { simulcast, format: withStartBitrate(video.chosen.offered) }),
      };
    if (offered !== audio?.media) return { codec: undefined, direction: 'recvonly' };
    return { codec: audio.chosen, direction: 'recvonly', format: 'minptime=10;stereo=1;useinbandfec=1' };
  });
  return {
    media,
    video: video && {
      payloadType: video.chosen.offered.payloadType,
      codec: video.chosen.codec,
      repairType: repair?.payloadType,
      transportNumber: transportNumber?.id,
      simulcast: simulcast && {
        rids: simulcast.rids,
        ridId: simulcast.rid.id,
        repairedRidId: simulcast.repairedRid?.id,
      },
    },
    audio: audio && { payloadType: audio.chosen.payloadType, channels: 2 },
  };
}

/**
 * Reports arrivals to senders with transport-wide sequence numbers, which then adapt to a narrower line within a second. Without the
 * extension that names layers, retransmissions would belong to none.
 */
function receivingExtras({ media, chosen }: Picked<ChosenVideo>, simulcast: ChosenSimulcast | undefined) {
  const isNameless = simulcast !== undefined && simulcast.repairedRid === undefined;
  return {
    repair: isNameless ? undefined : chooseRepair(media, chosen.offered),
    transportNumber: transportNumberOf(media, chosen.offered),
  };
}

/**
 * A browser begins with its lowest layer and needs up to half a minute for the highest, unless it is told that the line
 * carries all of them. Others ignore the parameter.
 */
function withStartBitrate({ format }: OfferedCodec): string {
  return [...(format === '' ? [] : [format]), 'x-google-start-bitrate=4000'].join(';');
}

interface Sending {
  readonly codec: VideoCodec;
  /** H.264 profile: the first octet after the version in its record. */
  readonly profile: number | undefined;
  /** True if video of this codec exists for certain. */
  readonly isCertain: boolean;
  readonly ssrcs: { readonly video: number; readonly repair: number; readonly audio: number };
}

/** Negotiates the media for a viewer. */
export function agreeToSend(offer: SdpOffer, { codec, profile, isCertain, ssrcs }: Sending) {
  const video = pick<OfferedCodec>(offer, 'video', 'recvonly', (media) => chooseToSend(media, codec, profile));
  const audio = pick(offer, 'audio', 'recvonly', chooseOpus);
  if (!video && isCertain && offer.media.some(({ kind }) => kind === 'video'))
    throw new RequestFailed(
      unusable(
        `the stream is ${codec.toUpperCase()}, which this offer does not support: use another browser, or play HLS or HTTP-FLV`,
      ),
    );
  if (!video && !audio) throw new RequestFailed(nothingUsable);
  const { repair: codecOfRepair, transportNumber } = video ? sendingExtras(video) : {};
  const playoutDelay = transportNumber && video ? playoutDelayOf(video.media) : undefined;
  const repair = codecOfRepair && { codec: codecOfRepair, ssrc: ssrcs.repair };
  const media = offer.media.map((offered): AnsweredMedia => {
    if (offered === video?.media)
      return { codec: video.chosen, direction: 'sendonly', ssrc: ssrcs.video, repair, transportNumber, playoutDelay };
    if (offered !== audio?.media) return { codec: undefined, direction: 'sendonly' };
    const format = 'minptime=10;sprop-stereo=1;stereo=1;useinbandfec=1';
    return { codec: audio.chosen, direction: 'sendonly', ssrc: ssrcs.audio, format };
  });
  return {
    media,
    video: video && {
      payloadType: video.chosen.payloadType,
      ssrc: ssrcs.video,
      repair: repair && { payloadType: repair.codec.payloadType, ssrc: repair.ssrc },
      transportNumber: transportNumber?.id,
      playoutDelay: playoutDelay?.id,
    },
    audio: audio && { payloadType: audio.chosen.payloadType, ssrc: ssrcs.audio },
  };
}

const transportNumberName = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';

function transportNumberOf({ extensions }: OfferedMedia, { feedback }: OfferedCodec) {
  const id = extensions.get(transportNumberName);
  return id !== undefined && feedback.has('transport-cc') ? { id, name: transportNumberName } : undefined;
}

/**
 * Retransmission stream and transport numbers for a viewer. Transport numbers need the stream: a packet that is
 * repeated in its original stream must keep its bytes, the transport number included.
 */
function sendingExtras({ media, chosen }: Picked<OfferedCodec>) {
  const repair = chooseRepair(media, chosen);
  return { repair, transportNumber: repair && transportNumberOf(media, chosen) };
}

const playoutDelayName = 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay';

/** Chromium offers it. */
function playoutDelayOf({ extensions }: OfferedMedia) {
  const id = extensions.get(playoutDelayName);
  return id === undefined ? undefined : { id, name: playoutDelayName };
}

/** The first media of a kind that goes in the wanted direction and has something to choose. */
function pick<T>(
  offer: SdpOffer,
  kind: 'audio' | 'video',
  direction: 'sendonly' | 'recvonly',
  choose: (media: OfferedMedia) => T | undefined,
): Picked<T> | undefined {
  for (const media of offer.media) {
    if (media.kind !== kind || media.isRejected || !media.hasRtcpMux) continue;
    if (media.direction !== 'sendrecv' && media.direction !== direction) continue;
    const chosen = choose(media);
    if (chosen !== undefined) return { media, chosen };
  }
  return undefined;
}
