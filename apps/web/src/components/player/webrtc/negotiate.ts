import { deleteSession, type OfferAnswer, postOffer } from './signaling.ts';

/** Host candidates are available at once; slower ones are not worth waiting for. */
const gatherWithinMs = 250;

interface Negotiated extends OfferAnswer {
  /** ICE user fragments of both sides, as in the server's log. */
  readonly session: string;
}

/**
 * One round trip with complete offer and answer. Deletes the session if it is no longer needed. `toOffer` changes what the
 * server is offered.
 */
export async function negotiate(
  peer: RTCPeerConnection,
  url: string,
  signal: AbortSignal,
  toOffer = (sdp: string) => sdp,
): Promise<Negotiated> {
  await peer.setLocalDescription();
  await waitForCandidates(peer);
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

function waitForCandidates(peer: RTCPeerConnection): Promise<void> {
  if (peer.iceGatheringState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, gatherWithinMs);
    peer.addEventListener('icegatheringstatechange', () => {
      if (peer.iceGatheringState !== 'complete') return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function parseUfrag(sdp: string): string {
  return /^a=ice-ufrag:(\S+)/m.exec(sdp)?.[1] ?? '';
}
