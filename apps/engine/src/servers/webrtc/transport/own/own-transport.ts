import { randomBytes } from 'node:crypto';
import { asksForMore, isRtcp } from '@weir/media/rtp';
import { setupOfAnswer } from '@weir/media/sdp';
import { isProved, type parseStunAnswer, type StunCheck, writeStunCheck } from '@weir/media/stun';
import { guarded } from '../guarded.ts';
import type { Connecting, RtcTransport, TransportFacts } from '../rtc-transport.ts';
import type { DtlsContext } from './dtls/dtls-context.ts';
import { DtlsSession } from './dtls/dtls-session.ts';
import type { HandshakeGate } from './handshake-gate.ts';
import { largestDatagram } from './native/workbench.ts';
import { Route, routeKey, type Way } from './route.ts';
import type { SendBatch } from './sending/send-batch.ts';
import { mostOverhead } from './srtp/protection.ts';
import { SrtpSession } from './srtp/srtp-session.ts';

/** Ways that a peer may keep open at a time. */
const mostRoutes = 8;
/** A way that was silent for this long is left for another one, also if the other side has not chosen that. */
const silentRouteMs = 3000;
/** Without a check or a packet for this long nobody agrees to be sent anything (RFC 7675, 5.1). */
const consentMs = 30_000;

/** What a transport needs of its port. */
export interface Surroundings {
  readonly context: DtlsContext;
  readonly batch: SendBatch;
  readonly gate: HandshakeGate;
  /** A peer lost something: what it tells next should not wait. */
  onUrgent(): void;
  /** A handshake has begun: it is to be called until that is over. */
  onShaking(): void;
  /** Datagrams from there are for this transport from now on. */
  onRoute(route: Route, transport: OwnTransport): void;
  onRouteGone(key: string, transport: OwnTransport): void;
  onClosed(transport: OwnTransport): void;
}

/** One peer: answers its checks, agrees on keys by DTLS, and protects what goes to and fro. */
export class OwnTransport implements RtcTransport {
  readonly facts: TransportFacts;
  readonly #around: Surroundings;
  readonly #connecting: Connecting;
  readonly #routes = new Map<string, Route>();
  #route: Route | undefined;
  #dtls: DtlsSession | undefined;
  #srtp: SrtpSession | undefined;
  #gateAddress: string | undefined;
  /** In watched time, at the first look after a check or a packet. */
  #checkedMs: number | undefined;
  #isClosed = false;
  readonly #tell: (act: () => void) => void;
  readonly #deliver: (bytes: Buffer, waitedMs: number) => void;

  constructor(around: Surroundings, connecting: Connecting) {
    this.#around = around;
    this.#connecting = connecting;
    const { events } = connecting;
    const onFault = (error: unknown) => events.onFault(error);
    this.#tell = guarded((act: () => void) => act(), onFault);
    this.#deliver = guarded((bytes: Buffer, waitedMs: number) => events.onPacket(bytes, waitedMs), onFault);
    this.facts = {
      iceUfrag: randomBytes(6).toString('base64'),
      icePwd: randomBytes(18).toString('base64'),
      fingerprint: around.context.fingerprint,
      isIceLite: true,
    };
  }

  get isShaking(): boolean {
    return this.#dtls?.state === 'handshake';
  }

  /** It is connected, and only tells how it receives: some milliseconds more or less are nothing to it. */
  get isCalm(): boolean {
    return this.#srtp !== undefined && this.#connecting.role === 'sends';
  }

  /** Whether a check is from the one who got our answer. */
  isFromPeer(bytes: Buffer, check: StunCheck): boolean {
    const isNamed = check.remoteUfrag === this.#connecting.peer.iceUfrag;
    return isNamed && isProved(bytes, check, this.facts.icePwd);
  }

  /** A check that was proved came this way. */
  onCheck({ host, port, local }: Way, isNominated: boolean, nowMs: number): Route {
    const known = this.#routes.get(routeKey(host, port, local)) ?? this.#learn(new Route(host, port, local));
    this.#checkedMs = undefined;
    const silentMs = nowMs - (this.#route?.heardMs ?? Number.NEGATIVE_INFINITY);
    known.heardMs = nowMs;
    const isFirst = this.#route === undefined;
    if (this.#route !== known && (isFirst || isNominated || silentMs > silentRouteMs)) this.#goTo(known);
    if (isFirst) this.#tell(() => this.#connecting.events.onReached());
    if (!this.#dtls && !this.#isClosed) this.#shake(known);
    return known;
  }

  /** Somebody says to be the one whom we asked whether it is there. */
  onAnswer(bytes: Buffer, answer: NonNullable<ReturnType<typeof parseStunAnswer>>, key: string): void {
    const route = this.#routes.get(key);
    if (!route?.asked?.equals(answer.transactionId)) return;
    if (!isProved(bytes, answer, this.#connecting.peer.icePwd)) return;
    route.asked = undefined;
    route.isProved = true;
    this.#route = route;
  }

  onDtls(bytes: Buffer, key: string): void {
    if (!this.#dtls) return;
    const wasShaking = this.isShaking;
    this.#dtls.receive(bytes);
    const route = this.#routes.get(key);
    if (route && wasShaking && this.#dtls.state === 'open') {
      route.isProved = true;
      if (!this.#route?.isProved) this.#route = route;
    }
    this.#afterDtls();
  }

  /** It waited so long to be read. */
  onMedia(bytes: Buffer, key: string, waitedMs: number): void {
    const srtp = this.#srtp;
    if (!srtp || bytes.length > largestDatagram) return;
    const isControl = isRtcp(bytes);
    if (!isControl && this.#connecting.role === 'sends') return;
    const { arena, packet } = this.#around.context.bench;
    arena.bytes.set(bytes, packet.at);
    const length = isControl ? srtp.openRtcp(packet.at, bytes.length) : srtp.openRtp(packet.at, bytes.length);
    if (length < 0) return;
    // Some repeat no checks once they are connected; what they send shows as well that they are there.
    this.#checkedMs = undefined;
    const route = this.#routes.get(key);
    if (route) route.heardMs = performance.now();
    arena.bytes.copy(bytes, 0, packet.at, packet.at + length);
    const opened = bytes.subarray(0, length);
    if (isControl && asksForMore(opened)) this.#around.onUrgent();
    this.#deliver(opened, waitedMs);
  }

  sendRtp(header: Buffer, payload: Buffer): boolean {
    const srtp = this.#srtp;
    const route = this.#route;
    const length = header.length + payload.length;
    if (!srtp || !route || length > largestDatagram) return false;
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
    const route = this.#route;
    if (!srtp || !route || packet.length > largestDatagram || !isRtcp(packet)) return false;
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

  /** While DTLS is under way. */
  shakeAgain(): void {
    this.#dtls?.onTime();
    this.#afterDtls();
  }

  look(watchedMs: number): void {
    this.#checkedMs ??= watchedMs;
    if (this.#route && watchedMs - this.#checkedMs > consentMs) this.#end('ICE consent expired');
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#dtls?.close();
    this.#srtp?.close();
    this.#srtp = undefined;
    this.#leaveGate();
    for (const key of this.#routes.keys()) this.#around.onRouteGone(key, this);
    this.#around.onClosed(this);
  }

  /**
   * Checks can be sent in the name of any address by whoever has the password, and media for a stranger must not follow them.
   * So once there are keys, somebody has to answer from there first.
   */
  #goTo(route: Route): void {
    if (!this.#srtp || route.isProved) {
      this.#route = route;
      return;
    }
    const { peer } = this.#connecting;
    route.asked = randomBytes(12);
    const names = { localUfrag: this.facts.iceUfrag, remoteUfrag: peer.iceUfrag, remotePwd: peer.icePwd };
    this.#around.batch.send(route, writeStunCheck({ transactionId: route.asked, ...names }));
  }

  #learn(route: Route): Route {
    const [oldest] = this.#routes.values();
    if (this.#routes.size >= mostRoutes && oldest) {
      this.#routes.delete(oldest.key);
      this.#around.onRouteGone(oldest.key, this);
    }
    this.#routes.set(route.key, route);
    this.#around.onRoute(route, this);
    return route;
  }

  /** Only with somebody who has proved to have our answer, and with so many at a time. */
  #shake(route: Route): void {
    const { gate, context, batch } = this.#around;
    if (!gate.enter(route.host)) return;
    this.#gateAddress = route.host;
    const { peer } = this.#connecting;
    const send = (datagram: Buffer) => this.#route && batch.send(this.#route, datagram);
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
    this.#srtp = new SrtpSession(this.#around.context.bench, dtls.keys.profile, dtls.keys);
    this.#tell(() => this.#connecting.events.onOpen());
  }

  #commit(route: Route, length: number): boolean {
    if (length < 0) return false;
    this.#around.batch.commit(route, length);
    return true;
  }

  /** Whoever sends must not fall over one peer. */
  #failed(error: unknown): false {
    this.#tell(() => this.#connecting.events.onFault(error));
    return false;
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#tell(() => this.#connecting.events.onEnd(reason));
    this.close();
  }

  #leaveGate(): void {
    if (this.#gateAddress !== undefined) this.#around.gate.leave(this.#gateAddress);
    this.#gateAddress = undefined;
  }
}
