import {
  type Branding,
  type Channel,
  type ListedChannel,
  type OwnedPage,
  type WatchedStream,
  type WatchPage,
  type WatchPicture,
  watchLimits,
} from '@weir/contract';
import type { StreamPlace, WirePlace } from '@weir/streams';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { OwnerPictures } from './owner-picture.ts';
import type { StoredPage, StoredPicture, WatchRepository } from './watch-repository.ts';

interface Context {
  readonly repository: WatchRepository;
  readonly pictures: OwnerPictures;
  readonly access: Access;
  readonly streams: Streams;
  readonly branding: { read(): Promise<Branding> };
  /** Small picture of what is live; not a buffer where there is none. */
  readonly thumbnail: (place: WirePlace) => Promise<unknown>;
  readonly mediaServer: Pick<MediaServer, 'lacks'>;
  readonly clock: Clock;
}

export interface Access {
  judge(playback: string, visitor: Visitor): Promise<Judged>;
  playback(place: StreamPlace): Promise<string>;
}

/** Dates of the first and the last picture that viewers can go back to; undefined where they cannot. */
type Rewindable = (place: WirePlace) => { readonly startMs: number; readonly endMs: number } | undefined;

export interface Streams {
  readonly rewindable: Rewindable;
  find(
    place: WirePlace,
  ): Promise<{ readonly update: string; readonly media?: { readonly viewers: number } | undefined } | undefined>;
}

interface Visitor {
  readonly token: string;
  readonly address: string;
}

interface Judged {
  readonly place: StreamPlace;
  readonly mode: WatchedStream['mode'];
  readonly sites: readonly string[];
  readonly isPublic: boolean;
  readonly refusal: WatchedStream['refusal'];
}

const listMs = 2000;
const nobody: Visitor = { token: '', address: '' };

/** Watch pages: what owners decide about them, and what visitors get to know. */
export class WatchService {
  readonly #context: Context;
  readonly #listed: TtlCache<ListedChannel>;

  constructor(context: Context) {
    this.#context = context;
    this.#listed = new TtlCache(() => this.#list(), listMs, context.clock);
  }

  async owned(place: WirePlace): Promise<OwnedPage> {
    const { access, repository } = this.#context;
    const playback = await access.playback(toPlace(place));
    return ownedPage(playback, await repository.page(playback));
  }

  async save(place: WirePlace, page: WatchPage): Promise<OwnedPage> {
    const { repository } = this.#context;
    if (page.endsAt !== '' && page.startsAt !== '' && Date.parse(page.endsAt) <= Date.parse(page.startsAt)) {
      throw new WeirError('invalid_input', 'endsAt: the stream must end after it starts');
    }
    const { playback } = await this.#forOwner(place);
    const stored = await repository.pages.update(playback, (current) => ({
      versions: current?.versions ?? { poster: '', logo: '', background: '' },
      page,
    }));
    this.#listed.forget();
    return ownedPage(playback, stored);
  }

  async setPicture(place: WirePlace, kind: WatchPicture, base64: string): Promise<OwnedPage> {
    const { repository, pictures } = this.#context;
    const { playback } = await this.#forOwner(place);
    await repository.putPicture(playback, kind, base64 === '' ? undefined : await pictures.make(kind, base64));
    this.#listed.forget();
    return ownedPage(playback, await repository.page(playback));
  }

  channel(): Promise<Channel> {
    return this.#context.repository.channel.read();
  }

  async saveChannel(channel: Channel): Promise<Channel> {
    await this.#context.repository.channel.put(channel);
    this.#listed.forget();
    return channel;
  }

  /** Throws `not_found` for invalid ids, with the same text for every reason. */
  async describe(playback: string, visitor: Visitor): Promise<WatchedStream> {
    const { access, repository, branding } = this.#context;
    const { place, mode, sites, refusal } = await this.#judge(access, playback, visitor);
    const [{ page, versions }, live, site] = await Promise.all([
      repository.page(playback),
      this.#liveOf(place),
      branding.read(),
    ]);
    const past = refusal === '' ? this.#context.streams.rewindable(toWire(place)) : undefined;
    const viewers = page.showsViewers && refusal === '' ? live?.media?.viewers : undefined;
    return {
      playback,
      mode,
      isLive: live !== undefined,
      sites: [...sites],
      refusal,
      ...(viewers !== undefined && { viewers }),
      startedAt: refusal === '' ? (live?.update ?? '') : '',
      ...(past && {
        rewind: {
          from: new Date(past.startMs).toISOString(),
          to: new Date(past.endMs).toISOString(),
          now: isoNow(this.#context.clock),
        },
      }),
      page,
      pictures: pictureUrls(playback, versions),
      site,
    };
  }

  /** Picture for strangers, such as previews in chats: of a protected stream only the owner's poster. */
  async publicPicture(playback: string): Promise<{ readonly type: string; readonly bytes: Buffer } | undefined> {
    const { access, thumbnail } = this.#context;
    const { place, isPublic } = await this.#judge(access, playback, nobody);
    const live = isPublic ? await thumbnail(toWire(place)).catch(() => undefined) : undefined;
    if (Buffer.isBuffer(live)) return { type: 'image/jpeg', bytes: live };
    const poster = await this.picture(playback, 'poster');
    return poster && { type: poster.type, bytes: Buffer.from(poster.base64, 'base64') };
  }

  /** True if everybody may watch. */
  async isPublic(playback: string): Promise<boolean> {
    return (await this.#judge(this.#context.access, playback, nobody)).isPublic;
  }

  picture(playback: string, kind: WatchPicture): Promise<StoredPicture | undefined> {
    return this.#context.repository.picture(playback, kind);
  }

  listed(): Promise<ListedChannel> {
    return this.#listed.get();
  }

  async #list(): Promise<ListedChannel> {
    const { repository, branding } = this.#context;
    const [{ isOn, title, description }, site] = await Promise.all([this.channel(), branding.read()]);
    if (!isOn) return { isOn, title: '', description: '', site, streams: [] };
    const pages = (await repository.pages.list()).filter(({ value }) => value.page.isListed);
    const streams = await Promise.all(pages.map(({ key, value }) => this.#listedStream(key, value)));
    const known = streams.filter((stream) => stream !== undefined);
    const shown = known.sort((a, b) => Number(b.isLive) - Number(a.isLive)).slice(0, watchLimits.listed);
    return { isOn, title, description, site, streams: shown };
  }

  async #listedStream(playback: string, { page, versions }: StoredPage) {
    const { access } = this.#context;
    // A stream that was forgotten, or is protected now, is not shown to strangers.
    const judged = await access.judge(playback, nobody).catch(() => undefined);
    if (!judged?.isPublic) return undefined;
    const live = await this.#liveOf(judged.place);
    const viewers = page.showsViewers ? live?.media?.viewers : undefined;
    const { title, startsAt } = page;
    const hasPicture = live !== undefined || versions.poster !== '';
    return {
      playback,
      title,
      isLive: live !== undefined,
      ...(viewers !== undefined && { viewers }),
      startsAt,
      picture: hasPicture ? `/watch/${playback}/picture.jpg` : '',
    };
  }

  async #forOwner(place: WirePlace): Promise<{ readonly playback: string }> {
    const { access, repository } = this.#context;
    this.#assertCapable();
    const playback = await access.playback(toPlace(place));
    const isNew = (await repository.pages.get(playback)) === undefined;
    if (isNew && (await repository.pages.list()).length >= watchLimits.pages) {
      throw new WeirError('invalid_input', `at most ${watchLimits.pages} watch pages are possible`);
    }
    return { playback };
  }

  async #judge(access: Access, playback: string, visitor: Visitor): Promise<Judged> {
    // With a separate SRS nothing can be played by its playback id.
    if (this.#context.mediaServer.lacks.includes('access')) throw new WeirError('not_found', 'there is no such stream');
    return access.judge(playback, visitor);
  }

  #liveOf(place: StreamPlace) {
    // While the engine restarts nothing is live.
    return this.#context.streams.find(toWire(place)).catch(() => undefined);
  }

  #assertCapable(): void {
    if (this.#context.mediaServer.lacks.includes('access')) {
      throw new WeirError('unavailable', 'watch pages need the built-in engine');
    }
  }
}

function ownedPage(playback: string, { page, versions }: StoredPage): OwnedPage {
  return { playback, page, pictures: pictureUrls(playback, versions) };
}

function pictureUrls(playback: string, { poster, logo, background }: StoredPage['versions']) {
  const url = (kind: WatchPicture, version: string) =>
    version === '' ? '' : `/watch/${playback}/${kind}?v=${version}`;
  return { poster: url('poster', poster), logo: url('logo', logo), background: url('background', background) };
}

function toPlace({ vhost, app, stream }: WirePlace): StreamPlace {
  return { vhost, app, name: stream };
}

function toWire({ vhost, app, name }: StreamPlace): WirePlace {
  return { vhost, app, stream: name };
}
