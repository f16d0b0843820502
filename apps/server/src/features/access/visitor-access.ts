import { decidePlay } from '@weir/plane';
import {
  type PlaybackKey,
  type PlayRefusal,
  type PlayRule,
  PlayRules,
  playbackIdPattern,
  type StreamPlace,
  streamKey,
} from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { type AccessRepository, toPlayRule } from './access-repository.ts';

interface Context {
  readonly repository: AccessRepository;
  readonly clock: Clock;
}

interface Visitor {
  /** Empty without one. */
  readonly token: string;
  readonly address: string;
  /** Host of the page that shows it, as `decidePlay` takes it; a page of this server by default. */
  readonly site?: string;
}

/** Decision of a rule for a visitor of a watch page. */
interface Verdict {
  readonly place: StreamPlace;
  readonly mode: PlayRule['mode'];
  readonly sites: readonly string[];
  /** True if the stream is open to everybody, on all sites. */
  readonly isPublic: boolean;
  readonly refusal: PlayRefusal | '';
}

interface Facts {
  readonly rules: PlayRules;
  readonly keys: readonly PlaybackKey[];
  readonly revoked: ReadonlySet<string>;
  /** Playback ids by the streams they stand for. */
  readonly playbacks: ReadonlyMap<string, string>;
}

/** Pages of viewers ask often. A change is known at once on this server, and after this long on the other of a pair. */
const factsMs = 500;

/** Tells visitors of watch pages whether they may watch, by the function that the engine decides with. */
export class VisitorAccess {
  readonly #context: Context;
  readonly #facts: TtlCache<Facts>;

  constructor(context: Context) {
    this.#context = context;
    this.#facts = new TtlCache(() => this.#readFacts(), factsMs, context.clock);
  }

  /** Decides whether a visitor may watch, without limits of viewers, which only the engine counts. */
  async judge(playback: string, visitor: Visitor): Promise<Verdict> {
    return this.#judge(await this.placeOf(playback), playback, visitor, await this.#facts.get());
  }

  /** The same for a stream by its own name. */
  async judgeStream(place: StreamPlace, visitor: Visitor): Promise<Verdict> {
    const facts = await this.#facts.get();
    return this.#judge(place, facts.playbacks.get(streamKey(place)) ?? '', visitor, facts);
  }

  #judge(place: StreamPlace, playback: string, visitor: Visitor, { rules, keys, revoked }: Facts): Verdict {
    const { token, address, site = 'same' } = visitor;
    const rule = rules.of(place);
    if (!rule) return { place, mode: 'open', sites: [], isPublic: true, refusal: '' };
    const wish = { place, playback, token, address, site };
    const verdict = decidePlay(rule, wish, {
      keys,
      isRevoked: (link) => revoked.has(link),
      viewers: () => 0,
      viewersOf: () => 0,
      nowMs: this.#context.clock.dateMs(),
    });
    const isPublic = rule.mode === 'open' && rule.networks.length === 0 && rule.sites.length === 0;
    const refusal = verdict.type === 'refused' ? verdict.reason : '';
    return { place, mode: rule.mode, sites: rule.sites, isPublic, refusal };
  }

  /** Throws `not_found` in the same words for everything that is no playback id. */
  async placeOf(playback: string): Promise<StreamPlace> {
    const isPossible = playbackIdPattern.test(playback);
    const place = isPossible ? await this.#context.repository.placeOf(playback) : undefined;
    if (!place) throw new WeirError('not_found', 'there is no such stream');
    return place;
  }

  /** Drops what is known after a change. */
  forget(): void {
    this.#facts.forget();
  }

  async #readFacts(): Promise<Facts> {
    const { repository } = this.#context;
    const [rules, keys, links, playbacks] = await Promise.all([
      repository.rules(),
      repository.keys(),
      repository.links.list(),
      repository.playbacks(),
    ]);
    const revoked = new Set(links.filter(({ value }) => value.revokedAt !== '').map(({ key }) => key));
    return {
      rules: new PlayRules(rules.map(toPlayRule)),
      keys,
      revoked,
      playbacks: new Map(playbacks.map(({ id, place }) => [streamKey(place), id])),
    };
  }
}
