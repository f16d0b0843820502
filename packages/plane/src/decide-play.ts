import { BlockList, isIP } from 'node:net';
import { type PlaybackKey, type PlayRefusal, type PlayRule, type StreamPlace, streamKey } from '@weir/streams';
import { type PlaybackClaims, readBackendToken, readOwnToken } from './playback-token.ts';

/** A viewer who wants to watch a stream that has a rule. */
export interface PlayWish {
  readonly place: StreamPlace;
  /** Playback id of the stream; empty when it has none. */
  readonly playback: string;
  /** Token that was shown; empty without one. */
  readonly token: string;
  readonly address: string;
  /**
   * Host of the page that plays it; empty for a request that names none, `same` for a page of this server. Undefined on protocols without
   * pages.
   */
  readonly site: string | undefined;
}

/** Facts beside the rule and the wish. */
export interface PlayFacts {
  readonly keys: readonly PlaybackKey[];
  readonly isRevoked: (link: string) => boolean;
  /** Viewers of the stream and of the link, without the asking one. */
  readonly viewers: () => number;
  readonly viewersOf: (link: string) => number;
  readonly nowMs: number;
}

/** Permission that came with a token. */
export interface PlayGrant {
  /** Counts viewers of one link, password or backend token; empty where nothing tells them apart. */
  readonly link: string;
  /** Infinity for a stream that needs no token. */
  readonly expiresAtMs: number;
}

/** `ask`: the owner's receiver decides. */
export type PlayVerdict =
  | { readonly type: 'allowed'; readonly grant: PlayGrant }
  | { readonly type: 'ask'; readonly grant: PlayGrant }
  | { readonly type: 'refused'; readonly reason: PlayRefusal };

const noToken: PlayGrant = { link: '', expiresAtMs: Number.POSITIVE_INFINITY };

/** Decides whether a viewer may watch. */
export function decidePlay(rule: PlayRule, wish: PlayWish, facts: PlayFacts): PlayVerdict {
  const refused = (reason: PlayRefusal): PlayVerdict => ({ type: 'refused', reason });
  if (!isInNetworks(wish.address, rule.networks)) return refused('network');
  if (!isAllowedSite(wish.site, rule.sites)) return refused('site');
  const isFull = rule.maxViewers > 0 && facts.viewers() >= rule.maxViewers;
  if (rule.mode === 'open') return isFull ? refused('full') : { type: 'allowed', grant: noToken };
  if (rule.mode === 'callback') return isFull ? refused('full') : { type: 'ask', grant: noToken };
  const judged = judgeToken(rule, wish, facts);
  if (typeof judged === 'string') return refused(judged);
  const { claims, link } = judged;
  const most = Math.min(claims.devices || Number.POSITIVE_INFINITY, rule.maxPerLink || Number.POSITIVE_INFINITY);
  // All viewers share the token of a password.
  if (claims.id !== passwordClaim(rule) && link !== '' && facts.viewersOf(link) >= most) return refused('devices');
  if (isFull) return refused('full');
  return { type: 'allowed', grant: { link, expiresAtMs: claims.expiresAt * 1000 } };
}

/** Id in tokens for the password of a rule. */
export function passwordClaim({ passwordId }: Pick<PlayRule, 'passwordId'>): string {
  return `password.${passwordId}`;
}

interface Judged {
  readonly claims: PlaybackClaims;
  readonly link: string;
}

function judgeToken(
  rule: PlayRule,
  { token, place, playback, address }: PlayWish,
  facts: PlayFacts,
): Judged | PlayRefusal {
  if (token === '') return 'no-token';
  const own = readOwnToken(token, facts.keys);
  const claims = own ?? (rule.mode === 'token' ? readBackendToken(token, rule.tokenKeys) : undefined);
  if (!claims) return 'invalid';
  const isNamed = own
    ? playback !== '' && claims.playback === playback
    : (claims.playback !== '' && claims.playback === playback) || claims.stream === streamKey(place);
  if (!isNamed) return 'other-stream';
  if (claims.expiresAt * 1000 <= facts.nowMs) return 'expired';
  if (claims.startsAt * 1000 > facts.nowMs) return 'not-yet';
  // A token for a password that is no longer asked for, or was changed.
  if (claims.id.startsWith('password.') && own && (rule.mode !== 'password' || claims.id !== passwordClaim(rule)))
    return 'revoked';
  const link = own ? claims.id : claims.id && `${rule.id}.${claims.id}`;
  if (facts.isRevoked(link)) return 'revoked';
  if (claims.address !== '' && claims.address !== address) return 'address';
  return { claims, link };
}

/** Native players name no site, and neither does a page that hides where it is: neither may play what belongs on some sites only. */
function isAllowedSite(site: string | undefined, sites: readonly string[]): boolean {
  if (sites.length === 0 || site === undefined || site === 'same') return true;
  return site !== '' && sites.some((allowed) => isSiteOf(site.toLowerCase(), allowed.toLowerCase()));
}

/** `*.example.com` is every name below it. */
function isSiteOf(site: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? site.endsWith(allowed.slice(1)) : site === allowed;
}

const lists = new WeakMap<readonly string[], BlockList>();

function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const family = isIP(address);
  if (family === 0) return false;
  const list = lists.get(networks) ?? listOf(networks);
  lists.set(networks, list);
  return list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    const type = family === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}
