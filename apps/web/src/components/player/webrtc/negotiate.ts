import { deleteSession, type OfferAnswer, postOffer } from './signaling.ts';

interface Negotiated extends OfferAnswer {
  /** ICE user fragments of both sides, as in the server's log. */
  readonly session: string;
}

/**
 * One round trip. The offer names no candidates: a media server has an address of its own and answers checks from wherever they come, and a
 * browser takes 120 ms to find the candidates it has. Deletes the session if it is no longer needed. `toOffer` changes what the server is
 * offered.
 */
export async function negotiate(
  peer: RTCPeerConnection,
  url: string,
  signal: AbortSignal,
  toOffer = (sdp: string) => sdp,
): Promise<Negotiated> {
  await peer.setLocalDescription();
  signal.throwIfAborted();
  const offer = toOffer(peer.localDescription?.sdp ?? '');
  const exchanged = await postOffer(url, offer, signal);
  try {
    signal.throwIfAborted();
    await peer.setRemoteDescription({ type: 'answer', sdp: exchanged.answer });
  } catch (error) {
    if (exchanged.location) deleteSession(exchanged.location);
    throw error;
  }
  return { ...exchanged, session: `${parseUfrag(offer)}:${parseUfrag(exchanged.answer)}` };
}

/**
 * Offer whose lost audio packets are sent again (RFC 4585). Browsers do not offer it for audio, but request lost packets
 * when the answer allows it.
 */
export function withAudioRepair(sdp: string): string {
  return sdp.replace(/^a=rtpmap:(\d+) opus\/48000\/2\r?\n/gim, '$&a=rtcp-fb:$1 nack\r\n');
}

function parseUfrag(sdp: string): string {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? '';
}
