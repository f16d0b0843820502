import { type PlayerFailure, toStatusFailure } from '../session/player-failure.ts';
import { KeyframesOnlyDetector } from '../webrtc/keyframes-only-detector.ts';
import { negotiate } from '../webrtc/negotiate.ts';
import { SessionWatchdog } from '../webrtc/session-watchdog.ts';
import { deleteSession, isSessionGone, OfferRejectedError } from '../webrtc/signaling.ts';
import { type RtcCounters, readInbound } from '../webrtc/webrtc-statistics.ts';
import { type OpenPlayback, type Playback, PlaybackError, type PlaybackRequest } from './playback.ts';

/** Longer than any way through a working network takes. */
const connectWithinMs = 10_000;

/** Nobody's network is silent for so long while media flows; a publisher that pauses is. */
const silentMs = 600;

interface WhepOptions {
  readonly wants?: 'both' | 'video' | 'audio';
  /** Told once both sides agreed: the session's name in the server's log. */
  readonly onSession?: (session: string) => void;
}

export const openWhep: OpenPlayback = (request) => openWhepWith(request, {});

/** WebRTC by WHEP: one call, then media over UDP. */
export async function openWhepWith(request: PlaybackRequest, options: WhepOptions): Promise<Playback> {
  if (typeof RTCPeerConnection === 'undefined') throw new PlaybackError({ kind: 'unsupported' });
  const peer = new RTCPeerConnection();
  try {
    const media = new MediaStream();
    peer.ontrack = ({ track }) => media.addTrack(track);
    for (const kind of ['audio', 'video'] as const) {
      if (options.wants === undefined || options.wants === 'both' || options.wants === kind) {
        peer.addTransceiver(kind, { direction: 'recvonly' });
      }
    }
    request.video.srcObject = media;
    const { location, session } = await negotiate(peer, request.url, request.signal);
    options.onSession?.(session);
    return new WhepPlayback(peer, location, request);
  } catch (error) {
    peer.close();
    request.video.srcObject = null;
    throw error instanceof OfferRejectedError ? new PlaybackError(toFailure(error)) : error;
  }
}

class WhepPlayback implements Playback {
  readonly #peer: RTCPeerConnection;
  readonly #location: string | undefined;
  readonly #request: PlaybackRequest;
  readonly #deadline: ReturnType<typeof setTimeout>;
  #watchdog: SessionWatchdog | undefined;
  readonly #keyframes = new KeyframesOnlyDetector();
  #before: RtcCounters | undefined;
  #wasConnected = false;
  #isClosed = false;

  constructor(peer: RTCPeerConnection, location: string | undefined, request: PlaybackRequest) {
    this.#peer = peer;
    this.#location = location;
    this.#request = request;
    this.#deadline = setTimeout(() => this.#reportFailure({ kind: 'peer' }), connectWithinMs);
    peer.onconnectionstatechange = () => this.#onState();
    this.#onState();
    addEventListener('pagehide', this.#leave);
  }

  async measure() {
    const report = await this.#peer.getStats();
    const { counters, measured } = readInbound([...report.values()], this.#before);
    this.#before = counters;
    const isKeyframesOnly = this.#keyframes.update(counters);
    // Whether it connects is for the deadline to say, and why not is known then: it is not the publisher who is gone.
    const all = { ...measured, isKeyframesOnly };
    return this.#wasConnected ? all : { ...all, progress: performance.now() };
  }

  /** A fraction of a second behind, which no text needs to know. */
  positionMs(edgeMs: number): number {
    return edgeMs;
  }

  /** What arrives is live already. */
  seekToLive(): void {}

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    this.#watchdog?.close();
    removeEventListener('pagehide', this.#leave);
    this.#peer.close();
    this.#request.video.srcObject = null;
    this.#leave();
  }

  readonly #leave = (): void => {
    if (this.#location) deleteSession(this.#location);
  };

  #onState(): void {
    const { connectionState } = this.#peer;
    if (connectionState === 'connected') {
      this.#wasConnected = true;
      clearTimeout(this.#deadline);
      this.#watchdog ??= this.#location === undefined ? undefined : this.#createWatchdog(this.#location);
    }
    if (connectionState === 'failed') this.#reportFailure({ kind: this.#wasConnected ? 'network' : 'peer' });
    if (connectionState === 'closed') this.#reportFailure({ kind: 'ended' });
  }

  /** The server may lose the session and go on serving: then another one is there for the asking. */
  #createWatchdog(location: string): SessionWatchdog {
    const readActivity = async () =>
      readInbound([...(await this.#peer.getStats()).values()], undefined).counters.packets;
    const onGone = () => this.#reportFailure({ kind: 'network', canReopenAtOnce: true });
    return new SessionWatchdog({ readActivity, silentMs, isGone: () => isSessionGone(location), onGone });
  }

  #reportFailure(failure: PlayerFailure): void {
    if (!this.#isClosed) this.#request.events.onFailure(failure);
  }
}

function toFailure({ status, message, retryAfterSeconds }: OfferRejectedError): PlayerFailure {
  return toStatusFailure(status, message, retryAfterSeconds);
}
