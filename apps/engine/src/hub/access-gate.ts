import type { FinishedSegment, InputChoice, LinkViewers, PublisherEnd, SegmentPlace } from '@weir/engine-api';
import { decidePlay, type PlayGrant, type PlayVerdict } from '@weir/plane';
import {
  type EngineRefusal,
  openAccess,
  type PlayAccess,
  type PlayRefusal,
  type PlayRule,
  PlayRules,
  playbackIdOf,
  playTokenOf,
  type StreamPlace,
  streamKey,
} from '@weir/streams';
import { type ClientInfo, countsAsViewer } from './clients/client-info.ts';
import type { Clients } from './clients/clients.ts';
import { type Gate, Refused } from './clients/gate.ts';

/** Peer that requests a stream, or a part of it. */
export type Watcher = Pick<ClientInfo, 'place' | 'param' | 'address' | 'site'>;

/** Viewer of a stream that has a rule. */
interface Seat {
  readonly client: ClientInfo;
  rule: PlayRule;
  grant: PlayGrant;
  /** Set when it may not watch any more. It is disconnected as soon as it is listed. */
  endReason: string;
}

interface Options {
  /** Called for admitted viewers. */
  readonly gate: Gate;
  /** Has the owner's receiver decide; throws Refused. */
  readonly ask: (client: Watcher) => Promise<void>;
  readonly clients: Pick<Clients, 'all' | 'get'>;
  readonly nowMs?: () => number;
}

const sweepMs = 500;
/** Streams whose last loss of permission is remembered one by one. */
const mostEnded = 5000;

/** Sentences for viewers. They name no stream, link or key. */
const refusals: Readonly<Record<PlayRefusal, string>> = {
  network: 'this stream cannot be watched from your network',
  site: 'this stream cannot be played on this site',
  'no-token': 'this stream needs a playback token',
  invalid: 'the playback token is not valid',
  'other-stream': 'the playback token is for another stream',
  expired: 'the playback token has expired',
  'not-yet': 'the playback token is not valid yet',
  revoked: 'the playback token was revoked',
  address: 'the playback token is for another address',
  devices: 'this link is in use on too many devices',
  full: 'this stream has no room for more viewers',
};

/** Refusals after which a password may open the stream. */
const passwordHelps: ReadonlySet<PlayRefusal> = new Set(['no-token', 'invalid', 'other-stream', 'expired', 'revoked']);

/** Keeps viewers out who may not watch, and disconnects those whose permission ends. */
export class AccessGate implements Gate {
  readonly #options: Options;
  readonly #nowMs: () => number;
  readonly #timer: NodeJS.Timeout;
  #access: PlayAccess = openAccess;
  #rules = new PlayRules([]);
  #revoked: ReadonlySet<string> = new Set();
  #playbackIds: ReadonlyMap<string, string> = new Map();
  #places: ReadonlyMap<string, StreamPlace> = new Map();
  readonly #seats = new Map<string, Seat>();
  readonly #viewers = new Map<string, number>();
  readonly #linkViewers = new Map<string, number>();
  /** When a viewer of a stream last lost its permission, oldest first. */
  readonly #endedAtMs = new Map<string, number>();
  /** Newest time that was dropped from the list above. It counts for every stream that is not in the list. */
  #droppedEndMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#timer = setInterval(() => this.sweep(), sweepMs).unref();
  }

  /** Replaces all rules. Viewers who may not watch by the new ones are disconnected. */
  set(access: PlayAccess): void {
    this.#access = access;
    this.#rules = new PlayRules(access.rules);
    this.#revoked = new Set(access.revoked);
    this.#playbackIds = new Map(access.playbacks.map(({ id, place }) => [streamKey(place), id]));
    this.#places = new Map(access.playbacks.map(({ id, place }) => [id, place]));
    for (const { info } of this.#options.clients.all()) {
      if (countsAsViewer(info) && !this.#seats.has(info.id)) this.#judgeOld(info);
    }
    for (const seat of [...this.#seats.values()]) this.#judgeAgain(seat);
    this.sweep();
  }

  /** True while everybody may watch everything. */
  get isOpen(): boolean {
    return this.#rules.isEmpty;
  }

  /** The rule of a stream; undefined for one that everybody may watch. */
  ruleOf(place: StreamPlace): PlayRule | undefined {
    return this.#rules.of(place);
  }

  /** The stream that a playback id stands for; any other place as it is. */
  resolve(place: StreamPlace): StreamPlace {
    const id = playbackIdOf(place);
    return (id === undefined ? undefined : this.#places.get(id)) ?? place;
  }

  publish(client: ClientInfo): Promise<InputChoice | undefined> {
    return this.#options.gate.publish(client);
  }

  unpublish(client: ClientInfo, why: PublisherEnd): void {
    this.#options.gate.unpublish(client, why);
  }

  publishRefused(client: ClientInfo, reason: EngineRefusal): void {
    this.#options.gate.publishRefused(client, reason);
  }

  segment(segment: FinishedSegment, publisher: ClientInfo, place: SegmentPlace): void {
    this.#options.gate.segment(segment, publisher, place);
  }

  async play(client: ClientInfo): Promise<void> {
    const { gate, ask } = this.#options;
    const rule = this.#rules.of(client.place);
    if (!rule || client.isPreview) return gate.play(client);
    const verdict = this.#decide(rule, client);
    if (verdict.type === 'refused') throw this.#refusal(rule, client, verdict.reason);
    const seat: Seat = { client, rule, grant: verdict.grant, endReason: '' };
    this.#admit(seat);
    try {
      if (verdict.type === 'ask') await ask(client);
      if (seat.endReason !== '') throw new Refused(seat.endReason);
      await gate.play(seat.grant.link === '' ? client : { ...client, link: seat.grant.link });
    } catch (error) {
      this.#leave(client.id);
      throw error;
    }
  }

  stop(client: ClientInfo): void {
    this.#leave(client.id);
    this.#options.gate.stop(client);
  }

  /** Throws Refused for a peer without permission. Does not count it as a viewer. */
  async assertMayWatch(watcher: Watcher): Promise<void> {
    const rule = this.#rules.of(watcher.place);
    if (!rule) return;
    const verdict = this.#decide(rule, watcher, true);
    if (verdict.type === 'refused') throw this.#refusal(rule, watcher, verdict.reason);
    if (verdict.type === 'ask') await this.#options.ask(watcher);
  }

  /** The same without asking the owner's receiver: what only it can decide is refused. */
  mayWatchUnasked(watcher: Watcher): boolean {
    const rule = this.#rules.of(watcher.place);
    return !rule || this.#decide(rule, watcher, true).type === 'allowed';
  }

  /** True unless the permission of an admitted viewer has ended. */
  mayGoOnWatching(watcher: Watcher): boolean {
    const rule = this.#rules.of(watcher.place);
    return !rule || this.#decide(rule, watcher, true).type !== 'refused';
  }

  /** True if a session that began elsewhere may go on from this address. */
  mayGoOn(client: ClientInfo, address: string): boolean {
    const seat = this.#seats.get(client.id);
    if (!seat || client.address === address) return true;
    return this.mayGoOnWatching({ ...client, address });
  }

  /** Time at which a permission for this stream was last withdrawn, or later. */
  endedAtMs(key: string): number {
    return this.#endedAtMs.get(key) ?? this.#droppedEndMs;
  }

  linkViewers(): LinkViewers {
    return { links: [...this.#linkViewers].map(([id, viewers]) => ({ id, viewers })) };
  }

  /** Disconnects viewers whose permission ended. Called by itself twice a second. */
  sweep(): void {
    const nowMs = this.#nowMs();
    for (const seat of this.#seats.values()) {
      if (seat.endReason === '' && seat.grant.expiresAtMs <= nowMs) this.#end(seat, refusals.expired);
      if (seat.endReason !== '') this.#options.clients.get(seat.client.id)?.kick(seat.endReason);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #judgeOld(client: ClientInfo): void {
    const rule = this.#rules.of(client.place);
    if (!rule) return;
    const verdict = this.#decide(rule, client, true);
    const grant = verdict.type === 'refused' ? { link: '', expiresAtMs: 0 } : verdict.grant;
    const seat: Seat = { client, rule, grant, endReason: '' };
    this.#admit(seat);
    this.#apply(seat, verdict, true);
  }

  #judgeAgain(seat: Seat): void {
    const rule = this.#rules.of(seat.client.place);
    if (!rule) {
      this.#leave(seat.client.id);
      return;
    }
    const isAsked = rule.mode === 'callback' && seat.rule.mode !== 'callback';
    seat.rule = rule;
    this.#apply(seat, this.#decide(rule, seat.client, true), isAsked);
  }

  #apply(seat: Seat, verdict: PlayVerdict, isAsked: boolean): void {
    if (verdict.type === 'refused') {
      this.#end(seat, refusals[verdict.reason]);
      return;
    }
    this.#count(seat, -1);
    seat.grant = verdict.grant;
    this.#count(seat, 1);
    if (verdict.type !== 'ask' || !isAsked) return;
    this.#options.ask(seat.client).catch((error: unknown) => {
      this.#end(seat, error instanceof Refused ? error.message : refusals.revoked);
    });
  }

  #end(seat: Seat, reason: string): void {
    if (seat.endReason !== '') return;
    seat.endReason = reason;
    this.#rememberEnd(streamKey(seat.client.place));
  }

  /** Viewers choose stream names, so the list is bounded. */
  #rememberEnd(key: string): void {
    this.#endedAtMs.delete(key);
    this.#endedAtMs.set(key, this.#nowMs());
    if (this.#endedAtMs.size <= mostEnded) return;
    for (const [oldest, endMs] of this.#endedAtMs) {
      this.#endedAtMs.delete(oldest);
      this.#droppedEndMs = endMs;
      return;
    }
  }

  #decide(rule: PlayRule, { place, param, address, site }: Watcher, isCounted = false): PlayVerdict {
    const key = streamKey(place);
    const playback = this.#playbackIds.get(key) ?? '';
    const wish = { place, playback, token: playTokenOf(param), address, site };
    return decidePlay(rule, wish, {
      keys: this.#access.keys,
      isRevoked: (link) => this.#revoked.has(link),
      viewers: () => (isCounted ? 0 : (this.#viewers.get(key) ?? 0)),
      viewersOf: (link) => (isCounted ? 0 : (this.#linkViewers.get(link) ?? 0)),
      nowMs: this.#nowMs(),
    });
  }

  #refusal(rule: PlayRule, { place }: Watcher, reason: PlayRefusal): Refused {
    const playback = this.#playbackIds.get(streamKey(place));
    const opensByPassword = rule.mode === 'password' && playback !== undefined && passwordHelps.has(reason);
    const byRule = opensByPassword ? `${reason}; password=${playback}` : reason;
    return new Refused(refusals[reason], { isBusy: reason === 'full', byRule });
  }

  #admit(seat: Seat): void {
    this.#seats.set(seat.client.id, seat);
    this.#count(seat, 1);
  }

  #leave(id: string): void {
    const seat = this.#seats.get(id);
    if (!seat) return;
    this.#seats.delete(id);
    this.#count(seat, -1);
  }

  #count({ client, grant }: Seat, step: 1 | -1): void {
    add(this.#viewers, streamKey(client.place), step);
    if (grant.link !== '') add(this.#linkViewers, grant.link, step);
  }
}

function add(counts: Map<string, number>, name: string, step: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + step;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
