import { setupOfAnswer } from '@weir/media/sdp';
import type { Listen } from '@weir/plane';
import type { IceUdpMuxListener, PeerConnection, Track } from 'node-datachannel';
import { guarded } from './guarded.ts';
import type { Connecting, PeerFacts, RtcPort, RtcTransport, TransportFacts } from './rtc-transport.ts';

/** Native library, loaded on first use. */
type WebRtcLibrary = typeof import('node-datachannel');

/** Library and its port, needed to create peers. */
interface LibraryPlace {
  readonly library: WebRtcLibrary;
  readonly port: number;
  readonly host: string | undefined;
}

const trackId = '0';
/** A closed connection is held a moment longer: its native threads may still be in our callbacks. */
const holdClosedMs = 5000;

/**
 * One transport: ICE, DTLS and SRTP in the native library, datagrams in and out. The library never sees the other side's
 * SDP. It gets a small one of ours with the credentials and a single track, which therefore carries every packet of the
 * connection, sound and pictures alike; what is agreed on tracks is between us and the browser.
 */
class LibraryTransport implements RtcTransport {
  readonly facts: TransportFacts;
  readonly #connection: PeerConnection;
  readonly #track: Track;
  #isClosed = false;

  constructor({ library, port, host }: LibraryPlace, { id, peer, role, events }: Connecting) {
    const connection = new library.PeerConnection(id, {
      iceServers: [],
      enableIceUdpMux: true,
      portRangeBegin: port,
      portRangeEnd: port,
      disableAutoNegotiation: true,
      ...(host === undefined ? {} : { bindAddress: host }),
    });
    const onFault = (error: unknown) => events.onFault(error);
    // Packets of a viewer other than RTCP are dropped before they cost anything.
    const description = new library.Video(trackId, role === 'sends' ? 'SendOnly' : 'RecvOnly');
    description.addH264Codec(96);
    this.#connection = connection;
    this.#track = connection.addTrack(description);
    this.#track.onOpen(guarded(() => events.onOpen(), onFault));
    this.#track.onMessage(guarded((bytes: Buffer) => events.onPacket(bytes, 0), onFault));
    connection.onIceStateChange(
      guarded((state: string) => {
        if (state === 'connected' || state === 'completed') events.onReached();
      }, onFault),
    );
    connection.onStateChange(
      guarded((state: string) => {
        if (state === 'failed' || state === 'disconnected' || state === 'closed') events.onEnd(`connection ${state}`);
      }, onFault),
    );
    try {
      connection.setRemoteDescription(transportOffer(peer, role), 'offer');
      connection.setLocalDescription('answer');
      this.facts = factsOf(connection.localDescription()?.sdp ?? '');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  sendRtp(header: Buffer, payload: Buffer): boolean {
    return this.sendRtcp(Buffer.concat([header, payload]));
  }

  sendRtcp(packet: Buffer): boolean {
    if (this.#isClosed) return false;
    try {
      return this.#track.sendMessageBinary(packet);
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#connection.close();
    } catch {
      // The peer closed it first.
    }
    setTimeout(() => void this.#connection, holdClosedMs).unref();
  }
}

/**
 * Without candidates we only answer checks, like ICE-lite, and never send to an address from an offer. The browser starts DTLS unless its
 * offer says otherwise.
 */
function transportOffer(peer: PeerFacts, role: 'sends' | 'receives'): string {
  const { iceUfrag, icePwd, fingerprint } = peer;
  const setup = setupOfAnswer(peer) === 'active' ? 'passive' : 'active';
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${trackId}`,
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    `a=mid:${trackId}`,
    `a=${role === 'sends' ? 'recvonly' : 'sendonly'}`,
    'a=rtcp-mux',
    'a=rtpmap:96 H264/90000',
    `a=ice-ufrag:${iceUfrag}`,
    `a=ice-pwd:${icePwd}`,
    `a=fingerprint:${fingerprint.algorithm} ${fingerprint.value}`,
    `a=setup:${setup}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function factsOf(sdp: string): TransportFacts {
  const attribute = (name: string) => new RegExp(`^a=${name}:(.+?)\\r?$`, 'm').exec(sdp)?.[1] ?? '';
  const facts = {
    iceUfrag: attribute('ice-ufrag'),
    icePwd: attribute('ice-pwd'),
    fingerprint: attribute('fingerprint'),
  };
  if (facts.iceUfrag === '' || facts.fingerprint === '') throw new Error('the transport has no description');
  return facts;
}

/** The UDP port of the native library. */
export class LibraryPort implements RtcPort {
  readonly #place: LibraryPlace;
  readonly #listener: IceUdpMuxListener;

  private constructor(place: LibraryPlace, listener: IceUdpMuxListener) {
    this.#place = place;
    this.#listener = listener;
  }

  /** Throws if the port is in use. */
  static async open({ host, port }: Listen): Promise<LibraryPort> {
    const library = await import('node-datachannel');
    return new LibraryPort({ library, port, host }, new library.IceUdpMuxListener(port, host));
  }

  get port(): number {
    return this.#place.port;
  }

  connect(connecting: Connecting): RtcTransport {
    return new LibraryTransport(this.#place, connecting);
  }

  close(): void {
    this.#listener.stop();
  }
}
