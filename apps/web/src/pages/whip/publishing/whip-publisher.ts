import { negotiate } from '../../../components/player/webrtc/negotiate.ts';
import { SessionWatchdog } from '../../../components/player/webrtc/session-watchdog.ts';
import { deleteSession, isSessionGone } from '../../../components/player/webrtc/signaling.ts';
import {
  lastReportMs,
  type RtcCounters,
  readOutbound,
  type SenderMetrics,
} from '../../../components/player/webrtc/webrtc-statistics.ts';
import { bitrateOf, planEncodings } from './encodings.ts';
import type { PublishChoices } from './publish-choices.ts';
import { isTransientPublishFailure, type PublishFailure, toSignalingFailure } from './publish-failure.ts';

export type PublishPhase = 'off' | 'connecting' | 'live' | 'reconnecting' | 'failed';

export interface PublishState {
  readonly phase: PublishPhase;
  readonly failure?: PublishFailure | undefined;
  readonly sent: SenderMetrics;
  readonly session: string;
}

export const offState: PublishState = { phase: 'off', sent: {}, session: '' };

const connectWithinMs = 10_000;
/** Shorter gaps recover on their own; longer ones need a new session. */
const brokenAfterMs = 4000;
const longestRetryMs = 8000;
/** RTCP reports of the server arrive every second. */
const silentMs = 2500;

interface Options {
  readonly url: string;
  readonly tracks: readonly MediaStreamTrack[];
  readonly choices: PublishChoices;
  readonly onChange: (state: PublishState) => void;
}

/** Publishes via WHIP (RFC 9725) until stopped, over as many sessions as reconnects need. */
export class WhipPublisher {
  readonly #options: Options;
  readonly #tracks = new Map<string, MediaStreamTrack | null>();
  #choices: PublishChoices;
  #state: PublishState = { ...offState, phase: 'connecting' };
  #peer: RTCPeerConnection | undefined;
  #location: string | undefined;
  #watchdog: SessionWatchdog | undefined;
  #opening = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ticking: ReturnType<typeof setInterval>;
  #before: RtcCounters | undefined;
  #attempt = 0;
  #wasLive = false;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#choices = options.choices;
    for (const track of options.tracks) this.#tracks.set(track.kind, track);
    this.#ticking = setInterval(() => this.#measure(), 1000);
    addEventListener('pagehide', this.#leave);
    this.#open();
  }

  /** True if the session negotiated this kind; others need a new session. */
  carries(kind: 'audio' | 'video'): boolean {
    return this.#tracks.has(kind);
  }

  async replace(kind: 'audio' | 'video', track: MediaStreamTrack | undefined): Promise<void> {
    if (!this.#tracks.has(kind)) return;
    this.#tracks.set(kind, track ?? null);
    const sender = this.#peer?.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)?.sender;
    await sender?.replaceTrack(track ?? null);
    await this.#limit();
  }

  async choose(choices: PublishChoices): Promise<void> {
    this.#choices = choices;
    await this.#limit();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearInterval(this.#ticking);
    removeEventListener('pagehide', this.#leave);
    this.#closeSession();
  }

  async #open(): Promise<void> {
    this.#closeSession();
    const opening = new AbortController();
    this.#opening = opening;
    const peer = new RTCPeerConnection();
    this.#peer = peer;
    for (const [kind, track] of this.#tracks) {
      const sendEncodings = kind === 'video' ? planEncodings(track?.getSettings() ?? {}, this.#choices) : [];
      const transceiver = peer.addTransceiver(track ?? kind, {
        direction: 'sendonly',
        ...(sendEncodings.length > 1 && { sendEncodings }),
      });
      if (kind === 'video') preferH264(transceiver);
    }
    peer.onconnectionstatechange = () => {
      if (this.#peer === peer) this.#onState(peer.connectionState);
    };
    this.#timer = setTimeout(() => this.#fail({ kind: 'peer' }), connectWithinMs);
    try {
      const { location, session } = await negotiate(peer, this.#options.url, opening.signal);
      if (opening.signal.aborted) {
        if (location) deleteSession(location);
        return;
      }
      this.#location = location;
      this.#change({ session });
      if (this.#state.phase === 'live') this.#watchSession();
      await this.#limit();
    } catch (error) {
      if (!opening.signal.aborted) this.#fail(toSignalingFailure(error));
    }
  }

  #onState(state: RTCPeerConnectionState): void {
    clearTimeout(this.#timer);
    if (state === 'connected') {
      this.#attempt = 0;
      this.#wasLive = true;
      this.#change({ phase: 'live', failure: undefined });
      this.#watchSession();
    } else if (state === 'disconnected') {
      this.#timer = setTimeout(() => this.#fail({ kind: 'network' }), brokenAfterMs);
    } else if (state === 'failed' || state === 'closed') {
      // The server has ended the session: there is nothing to delete.
      if (state === 'closed') this.#location = undefined;
      this.#fail({ kind: this.#wasLive ? 'network' : 'peer' });
    } else {
      this.#timer = setTimeout(() => this.#fail({ kind: 'peer' }), connectWithinMs);
    }
  }

  /** Detects a session that the server lost, which browsers notice late. */
  #watchSession(): void {
    const [peer, location] = [this.#peer, this.#location];
    if (!peer || !location || this.#watchdog) return;
    const readActivity = async () => lastReportMs([...(await peer.getStats()).values()]);
    const onGone = () => {
      this.#location = undefined;
      this.#fail({ kind: 'network' });
    };
    this.#watchdog = new SessionWatchdog({ readActivity, silentMs, isGone: () => isSessionGone(location), onGone });
  }

  /** Reconnects if the stream was live before; otherwise reports the failure at once. */
  #fail(failure: PublishFailure): void {
    if (this.#isStopped) return;
    this.#closeSession();
    // The server may still hold our previous session.
    const isOwnStaleSession = this.#wasLive && failure.kind === 'in-use';
    if (!this.#wasLive || !(isTransientPublishFailure(failure) || isOwnStaleSession)) {
      this.#change({ phase: 'failed', failure });
      this.stop();
      return;
    }
    this.#change({ phase: 'reconnecting', failure });
    const asked = (failure.retryAfterSeconds ?? 0) * 1000;
    const waitMs = Math.min(longestRetryMs, Math.max(asked, 1000 * 2 ** this.#attempt));
    this.#attempt = Math.min(this.#attempt + 1, 3);
    this.#timer = setTimeout(() => this.#open(), waitMs);
  }

  /** Applies the chosen bitrate and frame rate to the encoder. */
  async #limit(): Promise<void> {
    const sender = this.#peer?.getSenders().find(({ track }) => track?.kind === 'video');
    if (!sender) return;
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) {
      encoding.maxBitrate = bitrateOf(encoding, this.#choices);
      encoding.maxFramerate = Number(this.#choices.frameRate);
    }
    // Rejected during a negotiation, after which it is applied again.
    await sender.setParameters(parameters).catch(() => undefined);
  }

  async #measure(): Promise<void> {
    const peer = this.#peer;
    if (!peer || this.#state.phase !== 'live') return;
    const report = await peer.getStats();
    if (peer !== this.#peer) return;
    const { counters, sent } = readOutbound([...report.values()], this.#before);
    this.#before = counters;
    this.#change({ sent });
  }

  #closeSession(): void {
    clearTimeout(this.#timer);
    this.#watchdog?.close();
    this.#watchdog = undefined;
    this.#opening.abort();
    this.#before = undefined;
    const peer = this.#peer;
    this.#peer = undefined;
    peer?.close();
    this.#leave();
    this.#location = undefined;
  }

  readonly #leave = (): void => {
    if (this.#location) deleteSession(this.#location);
  };

  #change(part: Partial<PublishState>): void {
    this.#state = { ...this.#state, ...part };
    this.#options.onChange(this.#state);
  }
}

interface Codec {
  readonly mimeType: string;
  readonly sdpFmtpLine?: string;
}

/** Prefers constrained baseline H.264, which every viewer can decode. Other codecs keep their order, in case the server refuses it. */
export function sortByPreference<C extends Codec>(codecs: readonly C[]): C[] {
  return codecs
    .map((codec, place) => ({ codec, place }))
    .sort((a, b) => rank(a.codec) - rank(b.codec) || a.place - b.place)
    .map(({ codec }) => codec);
}

function rank({ mimeType, sdpFmtpLine = '' }: Codec): number {
  if (mimeType.toLowerCase() !== 'video/h264') return 3;
  if (!sdpFmtpLine.includes('packetization-mode=1')) return 2;
  return /profile-level-id=42e0/i.test(sdpFmtpLine) ? 0 : 1;
}

function preferH264(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  try {
    transceiver.setCodecPreferences(sortByPreference(codecs));
  } catch {
    // Browsers may reject the list; then they use their own order and the server chooses.
  }
}
