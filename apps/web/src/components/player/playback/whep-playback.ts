import { readQuality } from '@weir/streams';
import { type PlayerFailure, toStatusFailure } from '../session/player-failure.ts';
import { KeyframesOnlyDetector } from '../webrtc/keyframes-only-detector.ts';
import { negotiate, withAudioRepair } from '../webrtc/negotiate.ts';
import { SessionWatchdog } from '../webrtc/session-watchdog.ts';
import { chooseSessionQuality, deleteSession, isSessionGone, OfferRejectedError } from '../webrtc/signaling.ts';
import { type RtcCounters, readInbound } from '../webrtc/webrtc-statistics.ts';
import { type OpenPlayback, type Playback, PlaybackError, type PlaybackRequest } from './playback.ts';

/** Longer than ICE takes on any working network. */
const connectWithinMs = 10_000;

/** Longer than any gap while media flows; a publisher may pause longer. */
const silentMs = 600;

interface WhepOptions {
  readonly wants?: 'both' | 'video' | 'audio';
  /** Session name as in the server's log. */
  readonly onSession?: (session: string) => void;
  /** For players that have another source. */
  readonly connectWithinMs?: number;
}

export const openWhep: OpenPlayback = (request) => openWhepWith(request, {});

/** WebRTC via WHEP: one HTTP call, then media over UDP. */
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
    const { location, session, qualities } = await negotiate(peer, request.url, request.signal, withAudioRepair);
    options.onSession?.(session);
    const withinMs = options.connectWithinMs ?? connectWithinMs;
    return new WhepPlayback(peer, location, request, { qualities, withinMs });
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
  readonly #qualities: readonly string[] | undefined;
  readonly #deadline: ReturnType<typeof setTimeout>;
  #watchdog: SessionWatchdog | undefined;
  readonly #keyframes = new KeyframesOnlyDetector();
  #before: RtcCounters | undefined;
  #wasConnected = false;
  /** The server has ended the session: there is nothing to delete. */
  #isOver = false;
  #isClosed = false;
  /** Absent where a session cannot be changed. */
  readonly chooseQuality?: (name: string | undefined) => void;

  constructor(
    peer: RTCPeerConnection,
    location: string | undefined,
    request: PlaybackRequest,
    { qualities, withinMs }: { readonly qualities: readonly string[]; readonly withinMs: number },
  ) {
    this.#qualities = qualities.length > 1 ? qualities : undefined;
    this.#peer = peer;
    this.#location = location;
    let chosen = readQuality(request.url);
    if (location !== undefined) {
      this.chooseQuality = (name) => {
        if (name !== chosen) chooseSessionQuality(location, name);
        chosen = name;
      };
    }
    this.#request = request;
    this.#deadline = setTimeout(() => this.#reportFailure({ kind: 'peer' }), withinMs);
    peer.onconnectionstatechange = () => this.#onState();
    this.#onState();
    addEventListener('pagehide', this.#leave);
  }

  async measure() {
    const report = await this.#peer.getStats();
    const { counters, measured } = readInbound([...report.values()], this.#before);
    this.#before = counters;
    const isKeyframesOnly = this.#keyframes.update(counters);
    // Before the connection the deadline decides, because it knows the cause; missing media must not count as a lost publisher.
    const all = { ...measured, isKeyframesOnly, qualities: this.#qualities };
    return this.#wasConnected ? all : { ...all, progress: performance.now() };
  }

  /** WebRTC lags by a fraction of a second, which subtitles need not consider. */
  positionMs(edgeMs: number): number {
    return edgeMs;
  }

  /** WebRTC media is always live. */
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
    if (this.#location && !this.#isOver) deleteSession(this.#location);
  };

  #onState(): void {
    const { connectionState } = this.#peer;
    if (connectionState === 'connected') {
      this.#wasConnected = true;
      clearTimeout(this.#deadline);
      this.#watchdog ??= this.#location === undefined ? undefined : this.#createWatchdog(this.#location);
    }
    if (connectionState === 'failed') this.#reportFailure({ kind: this.#wasConnected ? 'network' : 'peer' });
    if (connectionState === 'closed') {
      this.#isOver = true;
      this.#reportFailure({ kind: 'ended' });
    }
  }

  /** Detects a session that the server lost while it keeps serving; a new one can be opened at once. */
  #createWatchdog(location: string): SessionWatchdog {
    const readActivity = async () =>
      readInbound([...(await this.#peer.getStats()).values()], undefined).counters.packets;
    const onGone = () => {
      this.#isOver = true;
      this.#reportFailure({ kind: 'network', canReopenAtOnce: true });
    };
    return new SessionWatchdog({ readActivity, silentMs, isGone: () => isSessionGone(location), onGone });
  }

  #reportFailure(failure: PlayerFailure): void {
    if (!this.#isClosed) this.#request.events.onFailure(failure);
  }
}

function toFailure({ status, message, retryAfterSeconds }: OfferRejectedError): PlayerFailure {
  return toStatusFailure(status, message, retryAfterSeconds);
}
