import { type AccessRule, accessLimits, type PlayLink } from '@weir/contract';
import { type Log, passwordClaim, writePlaybackToken } from '@weir/plane';
import {
  defaultVhost,
  type PlayAccess,
  type PlaybackKey,
  type PlayRule,
  PlayRules,
  type StreamPlace,
  streamKey,
} from '@weir/streams';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { hashPassword } from '../../core/passwords/password.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { type AccessRepository, newId, type StoredLink, type StoredRule, toPlayRule } from './access-repository.ts';
import type { PasswordGuard } from './password-guard.ts';
import { fetchPublicKeys } from './public-keys.ts';
import type { VisitorAccess } from './visitor-access.ts';

interface Context {
  readonly repository: AccessRepository;
  readonly mediaServer: Pick<MediaServer, 'applySettings' | 'linkViewers' | 'streams' | 'lacks'>;
  readonly outgoing: Pick<OutgoingClient, 'send'>;
  readonly guard: PasswordGuard;
  readonly judge: Pick<VisitorAccess, 'forget' | 'placeOf'>;
  /** True if a receiver of callbacks is set up. */
  readonly hasReceiver: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

const dayMs = 24 * 3600_000;
/** A link that is over stays in the list for this long. */
const keptMs = 7 * dayMs;
const lastUsedStepMs = 10_000;

/** Rules and links that decide who may watch. */
export class AccessService {
  readonly #context: Context;
  /** Serialises changes, so that engine and store end with the same. */
  readonly #turns = new Mutex();
  /** Run of the engine that has the rules. */
  #readyServer = '';
  readonly #notedMs = new Map<string, number>();

  constructor(context: Context) {
    this.#context = context;
  }

  async rules(): Promise<AccessRule[]> {
    return (await this.#context.repository.rules()).map(describeRule);
  }

  async save({ id, password, secret, ...fields }: RuleChange): Promise<AccessRule> {
    const { repository, outgoing, guard } = this.#context;
    this.#assertCapable();
    const isPublicKey = fields.mode === 'token' && fields.algorithm !== 'HS256';
    if (isPublicKey && fields.jwksUrl === '') throw new WeirError('missing_field', 'jwksUrl is required');
    // Before its turn: publishers wait for a turn too, and a slow server keeps no one waiting but its owner.
    const publicKeys = isPublicKey ? await fetchPublicKeys(outgoing, fields.jwksUrl, fields.algorithm) : [];
    const hash = password === undefined ? undefined : await hashPassword(password);
    return this.#change(async () => {
      const rules = await repository.rules();
      const before = rules.find((rule) => rule.id === id);
      if (id !== undefined && !before) throw new WeirError('not_found', 'there is no such rule');
      if (!before && rules.length >= accessLimits.rules) {
        throw new WeirError('invalid_input', `at most ${accessLimits.rules} rules are possible`);
      }
      if (rules.some((rule) => rule.pattern === fields.pattern && rule.id !== id)) {
        throw new WeirError('invalid_input', 'there is already a rule for this stream or pattern');
      }
      const rule: StoredRule = {
        ...fields,
        id: before?.id ?? newId(),
        password: hash ?? before?.password ?? '',
        passwordId: password === undefined ? (before?.passwordId ?? '') : newId(),
        secret: secret ?? before?.secret ?? '',
        publicKeys,
      };
      await this.#assertComplete(rule);
      await repository.updateRules((all) =>
        before ? all.map((each) => (each.id === before.id ? rule : each)) : [...all, rule],
      );
      // Links and viewers name the stream by its playback id.
      if (isPlain(rule.pattern)) await repository.playbackOf(placeOfPattern(rule.pattern));
      if (password !== undefined && hash !== undefined) guard.learn(password, hash);
      this.#context.log.info({ pattern: rule.pattern, mode: rule.mode }, 'play access changed');
      return describeRule(rule);
    });
  }

  async remove(id: string): Promise<void> {
    await this.#change(() => this.#context.repository.updateRules((all) => all.filter((rule) => rule.id !== id)));
  }

  /** Reorders rules. Rules that are not named come last, in their former order. */
  async order(ids: readonly string[]): Promise<void> {
    const places = new Map(ids.map((id, place) => [id, place]));
    const placeOf = ({ id }: StoredRule) => places.get(id) ?? ids.length;
    await this.#change(() =>
      this.#context.repository.updateRules((all) => [...all].sort((a, b) => placeOf(a) - placeOf(b))),
    );
  }

  /** Links to one stream, or all. */
  async links(stream?: StreamPlace): Promise<PlayLink[]> {
    const { repository, mediaServer, clock } = this.#context;
    const nowMs = clock.dateMs();
    const [rows, inUse, playbacks, keys] = await Promise.all([
      repository.links.list(),
      mediaServer.linkViewers().catch(() => ({ links: [] })),
      repository.playbacks(),
      repository.keys(),
    ]);
    const viewers = new Map(inUse.links.map(({ id, viewers }) => [id, viewers]));
    const places = new Map(playbacks.map(({ id, place }) => [id, place]));
    const wanted = stream && streamKey(stream);
    const described = rows.map(({ value }) => {
      const place = places.get(value.playback);
      if (!place || (wanted !== undefined && streamKey(place) !== wanted)) return undefined;
      return describeLink(value, { place, keys, viewers: viewers.get(value.id) ?? 0, nowMs });
    });
    return described.filter((link) => link !== undefined).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  async makeLink(change: LinkChange): Promise<PlayLink> {
    const { repository, clock } = this.#context;
    const { vhost, app, stream, label, startsAt = '', expiresAt, devices, address } = change;
    this.#assertCapable();
    const endMs = Date.parse(expiresAt);
    const nowMs = clock.dateMs();
    if (endMs <= Math.max(nowMs, startsAt === '' ? 0 : Date.parse(startsAt))) {
      throw new WeirError('invalid_input', 'expiresAt: the link must end after it starts');
    }
    if (endMs > nowMs + accessLimits.linkDays * dayMs) {
      throw new WeirError('invalid_input', `expiresAt: a link is valid for at most ${accessLimits.linkDays} days`);
    }
    return this.#change(async () => {
      await this.#removeOld();
      if ((await repository.links.list()).length >= accessLimits.links) {
        throw new WeirError('invalid_input', `at most ${accessLimits.links} links are possible, revoke some first`);
      }
      const keys = await repository.keys();
      const place = { vhost, app, name: stream };
      const row: StoredLink = {
        id: newId(),
        label,
        playback: (await repository.playbackOf(place)).id,
        key: keys.at(-1)?.id ?? '',
        createdAt: isoNow(clock),
        startsAt: startsAt === '' ? '' : new Date(startsAt).toISOString(),
        expiresAt: new Date(endMs).toISOString(),
        devices,
        address,
        revokedAt: '',
        lastUsedAt: '',
      };
      await repository.links.put(row.id, row);
      return describeLink(row, { place, keys, viewers: 0, nowMs });
    });
  }

  async revokeLink(id: string): Promise<void> {
    const { repository, clock, log } = this.#context;
    await this.#change(async () => {
      const row = await repository.links.get(id);
      if (!row) throw new WeirError('not_found', 'there is no such link');
      if (row.revokedAt === '') await repository.links.put(id, { ...row, revokedAt: isoNow(clock) });
    });
    log.info({ link: id }, 'playback link revoked');
  }

  async rotateKey(): Promise<void> {
    const { repository, clock } = this.#context;
    await this.#change(async () => {
      const needed = new Set(
        (await repository.links.list())
          .map(({ value }) => value)
          .filter((row) => !isOver(row, clock.dateMs()))
          .map(({ key }) => key),
      );
      // A password may have been exchanged with the newest a moment ago.
      const newest = (await repository.keys()).at(-1)?.id;
      if (newest !== undefined) needed.add(newest);
      if (needed.size >= accessLimits.keys) {
        throw new WeirError('invalid_input', 'links that are valid need all keys, revoke the oldest links first');
      }
      await repository.rotateKey((id) => needed.has(id));
    });
  }

  async playback(place: StreamPlace): Promise<string> {
    return this.#change(async () => (await this.#context.repository.playbackOf(place)).id);
  }

  /** A viewer came by a link. */
  async used(id: string): Promise<void> {
    const { repository, clock } = this.#context;
    const nowMs = clock.elapsedMs();
    if (nowMs - (this.#notedMs.get(id) ?? Number.NEGATIVE_INFINITY) < lastUsedStepMs) return;
    const row = await repository.links.get(id);
    if (!row) return;
    if (this.#notedMs.size >= accessLimits.links) this.#notedMs.clear();
    this.#notedMs.set(id, nowMs);
    await repository.links.update(id, (current) => ({ ...(current ?? row), lastUsedAt: isoNow(clock) }));
  }

  async unlock(playback: string, password: string, address: string): Promise<{ token: string; expiresAt: string }> {
    const { repository, guard, clock } = this.#context;
    const rule = await this.#ruleOf(await this.#context.judge.placeOf(playback));
    if (rule?.mode !== 'password') throw new WeirError('invalid_input', 'this stream does not ask for a password');
    const stored = (await repository.rules()).find(({ id }) => id === rule.id)?.password ?? '';
    await guard.check(password, stored, address);
    const key = (await repository.keys()).at(-1);
    if (!key) throw new WeirError('unavailable', 'try again shortly');
    const expiresAt = Math.floor(clock.dateMs() / 1000) + accessLimits.passwordHours * 3600;
    const claims = { playback, stream: '', id: passwordClaim(rule), startsAt: 0, expiresAt, devices: 0, address: '' };
    return { token: writePlaybackToken(key, claims), expiresAt: new Date(expiresAt * 1000).toISOString() };
  }

  /** Resolves once this run of the engine has the rules. It began without any. */
  async ready(serverId: string): Promise<void> {
    if (this.#readyServer === serverId || (await this.#context.repository.rules()).length === 0) return;
    await this.push();
    this.#readyServer = serverId;
  }

  push(): Promise<void> {
    return this.#turns.take(() => this.#push());
  }

  /** Reads public keys again, since backends replace theirs. */
  async refreshKeys(): Promise<void> {
    const { repository, outgoing, log } = this.#context;
    for (const { id, mode, algorithm, jwksUrl } of await repository.rules()) {
      if (mode !== 'token' || algorithm === 'HS256') continue;
      try {
        const publicKeys = await fetchPublicKeys(outgoing, jwksUrl, algorithm);
        await this.#change(() =>
          repository.updateRules((all) =>
            all.map((rule) => (rule.id === id && rule.jwksUrl === jwksUrl ? { ...rule, publicKeys } : rule)),
          ),
        );
      } catch (error) {
        log.warn({ rule: id, reason: error instanceof Error ? error.message : error }, 'playback keys not refreshed');
      }
    }
  }

  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      const result = await work();
      this.#context.judge.forget();
      await this.#push();
      return result;
    });
  }

  async #push(): Promise<void> {
    const { mediaServer, repository } = this.#context;
    if (mediaServer.lacks.includes('access')) return;
    const nowMs = this.#context.clock.dateMs();
    const [rules, keys, links, playbacks] = await Promise.all([
      repository.rules(),
      repository.keys(),
      repository.links.list(),
      repository.playbacks(),
    ]);
    const revoked = links
      .filter(({ value }) => value.revokedAt !== '' && Date.parse(value.expiresAt) > nowMs)
      .map(({ key }) => key);
    const playAccess: PlayAccess = { rules: rules.map(toPlayRule), keys, revoked, playbacks };
    await mediaServer.applySettings({ playAccess });
  }

  async #removeOld(): Promise<void> {
    const { repository, clock } = this.#context;
    const limitMs = clock.dateMs() - keptMs;
    const old = (await repository.links.list()).filter(({ value }) => Date.parse(value.expiresAt) < limitMs);
    if (old.length > 0) await repository.links.apply(old.map(({ key }) => ({ key })));
  }

  async #ruleOf(place: StreamPlace): Promise<PlayRule | undefined> {
    return new PlayRules((await this.#context.repository.rules()).map(toPlayRule)).of(place);
  }

  /** A separate SRS serves streams by itself, and would not keep to any of this. */
  #assertCapable(): void {
    if (this.#context.mediaServer.lacks.includes('access')) {
      throw new WeirError('unavailable', 'play access needs the built-in engine, with SRS use its on_play hook');
    }
  }

  async #assertComplete(rule: StoredRule): Promise<void> {
    const isMissing =
      (rule.mode === 'password' && rule.password === '' && 'password is required') ||
      (rule.mode === 'token' && rule.algorithm === 'HS256' && rule.secret === '' && 'secret is required');
    if (isMissing) throw new WeirError('missing_field', isMissing);
    if (rule.mode === 'callback' && !(await this.#context.hasReceiver())) {
      throw new WeirError('invalid_input', 'switch callbacks on first, their receiver decides who may watch');
    }
  }
}

type RuleChange = Omit<StoredRule, 'id' | 'password' | 'passwordId' | 'secret' | 'publicKeys'> & {
  readonly id?: string | undefined;
  readonly password?: string | undefined;
  readonly secret?: string | undefined;
};
type LinkChange = StreamChoice &
  Pick<StoredLink, 'label' | 'expiresAt' | 'devices' | 'address'> & { readonly startsAt?: string | undefined };

interface StreamChoice {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

function describeRule({ password, passwordId, secret, publicKeys, ...rule }: StoredRule): AccessRule {
  return { ...rule, hasPassword: password !== '', hasSecret: secret !== '', publicKeys: publicKeys.length };
}

/** True for a pattern that names one stream. */
function isPlain(pattern: string): boolean {
  return !/[*?[\]{}\\]/.test(pattern) && pattern.lastIndexOf('/') > 0;
}

function placeOfPattern(pattern: string): StreamPlace {
  const slash = pattern.lastIndexOf('/');
  return { vhost: defaultVhost, app: pattern.slice(1, slash), name: pattern.slice(slash + 1) };
}

interface LinkFacts {
  readonly place: StreamPlace;
  readonly keys: readonly PlaybackKey[];
  readonly viewers: number;
  readonly nowMs: number;
}

/** A link as its owner sees it, with its token for as long as that opens something. */
function describeLink(row: StoredLink, { place, keys, viewers, nowMs }: LinkFacts): PlayLink {
  const { id, label, playback, createdAt, startsAt, expiresAt, devices, address, lastUsedAt } = row;
  const state = stateOf(row, nowMs);
  const key = keys.find((each) => each.id === row.key);
  const claims = {
    playback,
    stream: '',
    id,
    startsAt: toSeconds(startsAt),
    expiresAt: toSeconds(expiresAt),
    devices,
    address,
  };
  const isUsable = key !== undefined && (state === 'valid' || state === 'waiting');
  return {
    id,
    label,
    vhost: place.vhost,
    app: place.app,
    stream: place.name,
    playback,
    token: isUsable ? writePlaybackToken(key, claims) : '',
    state,
    createdAt,
    startsAt,
    expiresAt,
    devices,
    address,
    viewers,
    lastUsedAt,
  };
}

function isOver({ expiresAt, revokedAt }: StoredLink, nowMs: number): boolean {
  return revokedAt !== '' || Date.parse(expiresAt) <= nowMs;
}

function stateOf(row: StoredLink, nowMs: number): PlayLink['state'] {
  if (row.revokedAt !== '') return 'revoked';
  if (isOver(row, nowMs)) return 'expired';
  return row.startsAt !== '' && Date.parse(row.startsAt) > nowMs ? 'waiting' : 'valid';
}

function toSeconds(time: string): number {
  return time === '' ? 0 : Math.floor(Date.parse(time) / 1000);
}
