import { Glob, globPath } from './glob.ts';
import { defaultVhost, type StreamPlace } from './stream-place.ts';

/**
 * Access to a stream. `open`: everybody. `link`: holders of a link that this server signed. `password`: whoever knows a password, and
 * gets a token for it. `token`: holders of a token that the owner's own backend signed. `callback`: the owner's receiver decides on on_play.
 */
export const playModes = ['open', 'link', 'password', 'token', 'callback'] as const;
type PlayMode = (typeof playModes)[number];

/** Reasons for turning a viewer away, in the order in which they are looked for. */
export const playRefusals = [
  'network',
  'site',
  'no-token',
  'invalid',
  'other-stream',
  'expired',
  'not-yet',
  'revoked',
  'address',
  'devices',
  'full',
] as const;
export type PlayRefusal = (typeof playRefusals)[number];

/** Signatures of tokens that an owner's backend makes (RFC 7518). */
export const tokenAlgorithms = ['HS256', 'RS256', 'ES256'] as const;
export type TokenAlgorithm = (typeof tokenAlgorithms)[number];

/** Key of an owner's backend: the secret of HS256, or the public key of the others. */
export interface TokenKey {
  /** `kid`; empty when the backend names none. */
  readonly id: string;
  readonly algorithm: TokenAlgorithm;
  readonly secret: string;
  /** JWK of a public key as JSON; empty for HS256. */
  readonly publicKey: string;
}

/** Conditions under which streams may be watched. */
export interface PlayRule {
  readonly id: string;
  /** A path such as `/live/stage`, or a glob over paths. The vhost is not part of it. */
  readonly pattern: string;
  readonly mode: PlayMode;
  /** Host names of sites whose pages may play it; empty for all. */
  readonly sites: readonly string[];
  /** Networks of viewers, as `192.0.2.0/24`; empty for all. */
  readonly networks: readonly string[];
  /** Viewers at once of one stream and of one link; 0 for no limit. */
  readonly maxViewers: number;
  readonly maxPerLink: number;
  /** Id in tokens for the password of now; another password has another. */
  readonly passwordId: string;
  readonly tokenKeys: readonly TokenKey[];
}

/** Key that signs links and tokens of this server. */
export interface PlaybackKey {
  readonly id: string;
  readonly secret: string;
}

/** Rules, keys and revocations by which the engine admits viewers. */
export interface PlayAccess {
  readonly rules: readonly PlayRule[];
  readonly keys: readonly PlaybackKey[];
  /** Ids of links that were revoked before their end. */
  readonly revoked: readonly string[];
  /** Playback ids: names of streams for viewers, which say nothing of the stream. */
  readonly playbacks: readonly PlaybackId[];
}

export interface PlaybackId {
  readonly id: string;
  readonly place: StreamPlace;
}

export const openAccess: PlayAccess = { rules: [], keys: [], revoked: [], playbacks: [] };

/** Query parameter with a playback token, on every protocol. */
const playTokenParameter = 'token';

const mostKnown = 10_000;

/** Rules by the streams they are for: one that names the stream exactly, or else the first pattern that matches. */
export class PlayRules {
  readonly #exact = new Map<string, PlayRule>();
  readonly #patterns: readonly { readonly glob: Glob; readonly rule: PlayRule }[];
  readonly #known = new Map<string, PlayRule | undefined>();

  constructor(rules: readonly PlayRule[]) {
    for (const rule of rules) if (!this.#exact.has(rule.pattern)) this.#exact.set(rule.pattern, rule);
    this.#patterns = rules.flatMap((rule) => {
      const glob = Glob.parse(rule.pattern);
      return typeof glob === 'string' ? [] : [{ glob, rule }];
    });
  }

  /** True if no stream has a rule. */
  get isEmpty(): boolean {
    return this.#exact.size === 0;
  }

  /** Undefined for a stream that everybody may watch without conditions. */
  of({ app, name }: Pick<StreamPlace, 'app' | 'name'>): PlayRule | undefined {
    if (this.isEmpty) return undefined;
    const path = globPath({ app, stream: name });
    if (this.#known.has(path)) return this.#known.get(path);
    const rule = this.#exact.get(path) ?? this.#patterns.find(({ glob }) => glob.matches(path))?.rule;
    if (this.#known.size >= mostKnown) this.#known.clear();
    const found = rule && isUnconditional(rule) ? undefined : rule;
    this.#known.set(path, found);
    return found;
  }
}

/** An exception from a wider pattern. */
function isUnconditional({ mode, sites, networks, maxViewers }: PlayRule): boolean {
  return mode === 'open' && sites.length === 0 && networks.length === 0 && maxViewers === 0;
}

/** The playback token in a query; empty without one. */
export function playTokenOf(param: string): string {
  return tokenPattern.exec(param)?.[1] ?? '';
}

const tokenPattern = new RegExp(`(?:^|[?&,])${playTokenParameter}=([\\w.-]{1,2048})(?=$|[&,])`);

/** App of addresses that name a stream by its playback id: `/play/ID.m3u8`. */
const playbackApp = 'play';

/** Form of a playback id. */
export const playbackIdPattern = /^[a-z0-9]{16}$/;

/** The playback id that a place stands for; undefined for the place of a stream. */
export function playbackIdOf({ vhost, app, name }: StreamPlace): string | undefined {
  return vhost === defaultVhost && app === playbackApp && playbackIdPattern.test(name) ? name : undefined;
}
