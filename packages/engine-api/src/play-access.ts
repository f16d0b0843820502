import {
  MalformedMessage,
  MessageFields,
  maxNameLength,
  type PlayAccess,
  type PlaybackId,
  type PlaybackKey,
  type PlayRule,
  playbackIdPattern,
  playModes,
  type TokenKey,
  tokenAlgorithms,
} from '@weir/streams';

/** Limits of what decides who may watch. */
const playAccessLimits = {
  rules: 500,
  playbacks: 5000,
  /** Links that may be listed, and so be revoked. */
  links: 10_000,
  keys: 20,
  tokenKeys: 16,
  sites: 50,
  networks: 50,
} as const;

const longestSecret = 4096;
const idText = { least: 1, most: 64 };

export function decodePlayAccess(body: unknown): PlayAccess {
  const fields = new MessageFields(body);
  return {
    rules: fields.list('rules', playAccessLimits.rules, decodeRule),
    keys: fields.list('keys', playAccessLimits.keys, decodeKey),
    revoked: fields.list('revoked', playAccessLimits.links, decodeText),
    playbacks: fields.list('playbacks', playAccessLimits.playbacks, decodePlayback),
  };
}

function decodeRule(value: unknown): PlayRule {
  const fields = new MessageFields(value);
  return {
    id: fields.text('id', idText),
    pattern: fields.text('pattern', { least: 1, most: 2 * maxNameLength }),
    mode: fields.oneOf('mode', playModes),
    sites: fields.list('sites', playAccessLimits.sites, decodeText),
    networks: fields.list('networks', playAccessLimits.networks, decodeText),
    maxViewers: fields.whole('maxViewers'),
    maxPerLink: fields.whole('maxPerLink'),
    passwordId: fields.text('passwordId', { most: 64 }),
    tokenKeys: fields.list('tokenKeys', playAccessLimits.tokenKeys, decodeTokenKey),
  };
}

function decodeTokenKey(value: unknown): TokenKey {
  const fields = new MessageFields(value);
  return {
    id: fields.text('id', { most: 256 }),
    algorithm: fields.oneOf('algorithm', tokenAlgorithms),
    secret: fields.text('secret', { most: longestSecret }),
    publicKey: fields.text('publicKey', { most: longestSecret }),
  };
}

function decodeKey(value: unknown): PlaybackKey {
  const fields = new MessageFields(value);
  return { id: fields.text('id', idText), secret: fields.text('secret', { least: 32, most: longestSecret }) };
}

function decodePlayback(value: unknown): PlaybackId {
  const fields = new MessageFields(value);
  const id = fields.text('id');
  if (!playbackIdPattern.test(id)) throw new MalformedMessage('id', 'must be a playback id');
  return { id, place: fields.part('place', decodeStreamPlace) };
}

function decodeStreamPlace(value: unknown) {
  const fields = new MessageFields(value);
  const name = { least: 1, most: maxNameLength };
  return { vhost: fields.text('vhost', name), app: fields.text('app', name), name: fields.text('name', name) };
}

function decodeText(value: unknown): string {
  if (typeof value !== 'string' || value.length > 256) {
    throw new MalformedMessage('', 'must be a text of at most 256 characters');
  }
  return value;
}

/** Viewers by their link. */
export interface LinkViewers {
  readonly links: readonly { readonly id: string; readonly viewers: number }[];
}

const mostLinks = 100_000;

export function decodeLinkViewers(data: unknown): LinkViewers {
  const decodeLink = (value: unknown) => {
    const link = new MessageFields(value);
    return { id: link.text('id', { most: 256 }), viewers: link.whole('viewers') };
  };
  return { links: new MessageFields(data).list('links', mostLinks, decodeLink) };
}
