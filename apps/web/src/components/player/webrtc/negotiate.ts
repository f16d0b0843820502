import { deleteSession, type OfferAnswer, postOffer } from './signaling.ts';

/** Candidates of this machine's own interfaces are there at once; nobody should wait longer for a slow one. */
const gatherWithinMs = 250;

interface Negotiated extends OfferAnswer {
  /** Both sides' ICE names, as the server's log writes them. */
  readonly session: string;
}

/** One round trip: the whole offer there, the whole answer back. What was opened for nothing is closed again. */
export async function negotiate(peer: RTCPeerConnection, url: string, signal: AbortSignal): Promise<Negotiated> {
  await peer.setLocalDescription();
  await waitForCandidates(peer);
  signal.throwIfAborted();
  const offer = peer.localDescription?.sdp ?? '';
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
