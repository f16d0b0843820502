import { randomBytes } from 'node:crypto';
import { isRtcp, requestsMedia } from '@weir/media/rtp';
import { setupOfAnswer } from '@weir/media/sdp';
import { isProved, type parseStunAnswer, type StunCheck } from '@weir/media/stun';
import { guarded } from '../guarded.ts';
import type { Connecting, RtcTransport, TransportFacts } from '../rtc-transport.ts';
import type { DtlsContext } from './dtls/dtls-context.ts';
import { DtlsSession } from './dtls/dtls-session.ts';
import type { HandshakeGate, Pass } from './handshake-gate.ts';
import { largestDatagram } from './native/native-context.ts';
import { PeerRoutes } from './peer-routes.ts';
import type { Route, Way } from './route.ts';
import type { Claimant, RouteTable } from './route-table.ts';
import type { SendBatch } from './sending/send-batch.ts';
import { mostOverhead } from './srtp/protection.ts';
import { SrtpSession } from './srtp/srtp-session.ts';

/** Time without a check or packet after which consent ends (RFC 7675, 5.1). */
const consentMs = 30_000;

/** Port functions that a transport needs. */
export interface Surroundings {
  readonly context: DtlsContext;
  readonly batch: SendBatch;
  readonly gate: HandshakeGate;
  /** Which transports claim an address. */
  readonly routes: RouteTable<OwnTransport>;
  /** A peer lost something: what it tells next should not wait. */
  onUrgent(): void;
  /** A handshake has begun: it is to be called until that is over. */
  onShaking(): void;
  onClosed(transport: OwnTransport): void;
}

/** Transport to one peer: answers its checks, agrees on keys by DTLS, and protects media. */
export class OwnTransport implements RtcTransport, Claimant {
  readonly facts: TransportFacts;
  readonly routes: PeerRoutes;
  readonly #around: Surroundings;
  readonly #connecting: Connecting;
  #dtls: DtlsSession | undefined;
  #srtp: SrtpSession | undefined;
  #pass: Pass | undefined;
  /** In watched time, at the first look after a check or a packet. */
  #checkedMs: number | undefined;
  #isClosed = false;
  readonly #emit: (act: () => void) => void;
  readonly #deliver: (bytes: Buffer, waitedMs: number) => void;

  constructor(around: Surroundings, connecting: Connecting) {
    this.#around = around;
    this.#connecting = connecting;
    const { events } = connecting;
    const onFault = (error: unknown) => events.onFault(error);
    this.#emit = guarded((act: () => void) => act(), onFault);
    this.#deliver = guarded((bytes: Buffer, waitedMs: number) => events.onPacket(bytes, waitedMs), onFault);
    this.facts = {
      iceUfrag: randomBytes(6).toString('base64'),
      icePwd: randomBytes(18).toString('base64'),
      fingerprint: around.context.fingerprint,
      isIceLite: true,
    };
    const { iceUfrag: remoteUfrag, icePwd: remotePwd } = connecting.peer;
    const names = { localUfrag: this.facts.iceUfrag, remoteUfrag, remotePwd };
    this.routes = new PeerRoutes({ table: around.routes, batch: around.batch, names, owner: this });
  }

  get isShaking(): boolean {
    return this.#dtls?.state === 'handshake';
  }

  /** True if it is connected and only sends receiver reports: some milliseconds of delay do not matter. */
  get isCalm(): boolean {
    return this.#srtp !== undefined && this.#connecting.role === 'sends';
  }

  /** True if a check proves our answer's credentials. */
  isFromPeer(bytes: Buffer, check: StunCheck): boolean {
    const isNamed = check.remoteUfrag === this.#connecting.peer.iceUfrag;
    return isNamed && isProved(bytes, check, this.facts.icePwd);
  }

  /** A check that was proved came this way. */
  onCheck(way: Way, isNominated: boolean, nowMs: number): Route {
    this.#checkedMs = undefined;
    const isFirst = this.routes.current === undefined;
    const route = this.routes.onCheck(way, isNominated, nowMs);
    if (isFirst) this.#emit(() => this.#connecting.events.onReached());
    this.#shake(route);
    return route;
  }

  onAnswer(bytes: Buffer, answer: NonNullable<ReturnType<typeof parseStunAnswer>>, key: string): void {
    const route = this.routes.onAnswer(bytes, answer, key);
    if (route) this.#shake(route);
  }

  onDtls(bytes: Buffer, key: string): void {
    if (!this.#dtls || !this.routes.at(key)) return;
    this.#dtls.receive(bytes);
    this.#afterDtls();
  }

  /** Handles a media packet that waited in the receive queue. False when it is not this peer's. */
  onMedia(bytes: Buffer, key: string, waitedMs: number): boolean {
    const srtp = this.#srtp;
    if (!srtp || bytes.length > largestDatagram) return false;
    const isControl = isRtcp(bytes);
    if (!isControl && this.#connecting.role === 'sends') return false;
    const { arena, packet } = this.#around.context.bench;
    arena.bytes.set(bytes, packet.at);
    const length = isControl ? srtp.openRtcp(packet.at, bytes.length) : srtp.openRtp(packet.at, bytes.length);
    if (length < 0) return false;
    // Some repeat no checks once they are connected; what they send shows as well that they are there.
    this.#checkedMs = undefined;
    const route = this.routes.at(key);
    if (route) route.heardMs = performance.now();
    arena.bytes.copy(bytes, 0, packet.at, packet.at + length);
    const opened = bytes.subarray(0, length);
    if (isControl && requestsMedia(opened)) this.#around.onUrgent();
    this.#deliver(opened, waitedMs);
    return true;
  }

  sendRtp(header: Buffer, payload: Buffer): boolean {
    const srtp = this.#srtp;
    const route = this.routes.current;
    const length = header.length + payload.length;
    if (!srtp || !route?.isProved || length > largestDatagram) return false;
    const { batch, context } = this.#around;
    try {
      const at = batch.reserve(length + mostOverhead);
      if (at < 0) return false;
      const { bytes } = context.bench.arena;
      // Octet by octet: for so few a call takes longer.
      for (let n = 0; n < header.length; n++) bytes[at + n] = header[n] ?? 0;
      return this.#commit(route, srtp.sealRtp(at, length, header.length, batch.payloads.place(payload)));
    } catch (error) {
      return this.#failed(error);
    }
  }

  sendRtcp(packet: Buffer): boolean {
    const srtp = this.#srtp;
    const route = this.routes.current;
    if (!srtp || !route?.isProved || packet.length > largestDatagram || !isRtcp(packet)) return false;
    const { batch, context } = this.#around;
    try {
      const at = batch.reserve(packet.length + mostOverhead);
      if (at < 0) return false;
      context.bench.arena.bytes.set(packet, at);
      return this.#commit(route, srtp.sealRtcp(at, packet.length));
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Repeats lost messages of the handshake. Called while DTLS is under way. */
  shakeAgain(): void {
    this.#dtls?.onTime();
    this.#afterDtls();
  }

  checkConsent(watchedMs: number): void {
    this.#checkedMs ??= watchedMs;
    if (this.routes.current && watchedMs - this.#checkedMs > consentMs) this.#end('ICE consent expired');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#dtls?.close();
    this.#srtp?.close();
    this.#srtp = undefined;
    this.#leaveGate();
    this.routes.close();
    this.#around.onClosed(this);
  }

  /** Starts DTLS only with peers that have proved to know our answer, and with a limited number at a time. */
  #shake(route: Route): void {
    const { gate, context, routes } = this.#around;
    if (this.#dtls || this.#isClosed || !routes.mayShake(route.key, this)) return;
    const pass = { address: route.host, isProved: route.isProved };
    if (!gate.enter(pass)) {
      if (!route.isProved) this.routes.sendCheck(route);
      return;
    }
    this.#pass = pass;
    const { peer } = this.#connecting;
    const send = (datagram: Buffer) => this.routes.sendDtls(datagram);
    const role = setupOfAnswer(peer) === 'active' ? 'client' : 'server';
    this.#dtls = new DtlsSession({ context, role, fingerprint: peer.fingerprint, send });
    this.#dtls.begin();
    this.#around.onShaking();
    this.#afterDtls();
  }

  #afterDtls(): void {
    const dtls = this.#dtls;
    if (!dtls || this.#isClosed || dtls.state === 'handshake') return;
    this.#leaveGate();
    if (dtls.state === 'over') {
      this.#end(dtls.reason);
      return;
    }
    if (this.#srtp || !dtls.keys) return;
    this.routes.onKeys();
    this.#srtp = new SrtpSession(this.#around.context.bench, dtls.keys.profile, dtls.keys);
    this.#emit(() => this.#connecting.events.onOpen());
  }

  #commit(route: Route, length: number): boolean {
    if (length < 0) return false;
    this.#around.batch.commit(route, length);
    return true;
  }

  /** A failing peer must not disturb the sender. */
  #failed(error: unknown): false {
    this.#emit(() => this.#connecting.events.onFault(error));
    return false;
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#emit(() => this.#connecting.events.onEnd(reason));
    this.close();
  }

  #leaveGate(): void {
    if (this.#pass) this.#around.gate.leave(this.#pass);
    this.#pass = undefined;
  }
}
