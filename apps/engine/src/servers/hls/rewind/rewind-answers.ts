import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RewindRules, type RewindSettings } from '@weir/engine-api';
import { rewindStreamFolder } from '@weir/plane';
import { type StreamPlace, streamKey } from '@weir/streams';
import type { Exchange } from '../../../http/exchange.ts';
import { busy, notPublished, refusedFailure } from '../../../http/failures.ts';
import type { Prepared } from '../../../http/prepared.ts';
import { type HlsStream, publicFormat } from '../../../packagers/hls/hls-stream.ts';
import { preparedPlaylist } from '../../../packagers/hls/prepared-pieces.ts';
import { keyIn } from '../asked-streams.ts';
import { encodedKey, placeOfKey } from '../hls-access.ts';
import { dvrMark, parseRewindKey, type RewindRequest, readDirectives, withContext } from '../hls-request.ts';
import { masterPlaylist } from '../master/master-playlist.ts';
import { type DoorOptions, gone, type PlaylistDoor } from '../playlist-door.ts';
import { sendFiles } from '../send.ts';
import type { HlsViewer } from '../viewers/hls-viewers.ts';
import type { ViewerSockets } from '../viewers/viewer-sockets.ts';
import { type CatalogChunk, RewindCatalog } from './rewind-catalog.ts';
import { chunkText, rewindPlaylist, targetSeconds } from './rewind-playlist.ts';
import { RewindSigns } from './rewind-signs.ts';

interface Options extends DoorOptions {
  readonly door: PlaylistDoor;
  readonly sockets: ViewerSockets;
  readonly find: (key: string) => HlsStream | undefined;
  /** Folder of all windows. */
  readonly directory: string;
}

/** A stream whose past somebody asks for. */
interface Wish {
  readonly place: StreamPlace;
  readonly query: string;
  readonly windowMs: number;
  readonly playback?: string | undefined;
}

/** How a playlist is written. */
interface Form {
  readonly isDelta: boolean;
  /** The stream has ended, and its publisher did not return soon. */
  readonly isOver: boolean;
  readonly isSigned: boolean;
  readonly caching: string;
  readonly playback: string | undefined;
}

/** What is known of a stream while somebody asks for its past. */
interface Shelf {
  readonly catalog: RewindCatalog;
  /** Finished answers for these chunks, by form. */
  answers: Map<string, Prepared>;
  answersFor: readonly CatalogChunk[];
  /** Texts of chunks, by form. */
  texts: WeakMap<CatalogChunk, Map<string, string>>;
}

const notSigned = refusedFailure({ message: 'this address needs a valid signature' });
const mostShelves = 200;
const mostAnswers = 8;
/** A stream that just began has no segment yet: its first players wait. */
const firstPieceMs = 12_000;
const lookMs = 200;
/** Longer than a start of this process and the return of its publishers take. */
const returnMs = 60_000;
/** Edges pass a playlist to all who ask within a moment. */
const moment = 'public, max-age=1';

/** Answers for what was live a while ago: one sliding playlist per stream, and its pieces from the disk. */
export class RewindAnswers {
  readonly #options: Options;
  readonly #signs: RewindSigns;
  readonly #shelves = new Map<string, Shelf>();
  #rules = new RewindRules([]);

  constructor(options: Options) {
    this.#options = options;
    this.#signs = new RewindSigns(
      () => options.clock.dateMs(),
      (stem) => this.#windowOf(placeOfKey(decodeURIComponent(stem.slice(1, -`${dvrMark}-`.length)))),
    );
  }

  set({ rules, key }: RewindSettings): void {
    this.#rules = new RewindRules(rules);
    this.#signs.setKey(key);
  }

  /** Undefined for a playlist that is none of these, or of a stream without a window. */
  find(plainKey: string, query: string): Wish | undefined {
    if (!this.#rules.isOn) return undefined;
    const key = keyIn(plainKey, query);
    const stem = parseRewindKey(key);
    // A stream may be called like this.
    if (stem === undefined || this.#options.find(key)?.isWatchable) return undefined;
    const place = placeOfKey(stem);
    const windowMs = this.#windowOf(place);
    return place && windowMs > 0 ? { place, query, windowMs } : undefined;
  }

  serve(exchange: Exchange, wish: Wish): void {
    this.#exists(wish)
      .then((exists) => {
        if (exchange.isOver) return;
        if (exists) this.#enter(exchange, wish);
        else this.#options.door.refuseUnknown(exchange, streamKey(wish.place));
      })
      .catch(() => exchange.destroy());
  }

  /** Checked first, so that a viewer of a stream that does not exist is neither admitted nor reported to a callback. */
  async #exists({ place, windowMs }: Wish): Promise<boolean> {
    if (this.#options.find(streamKey(place))?.isWatchable) return true;
    return (await this.#chunksOf(place, windowMs)).length > 0;
  }

  async #chunksOf(place: StreamPlace, windowMs: number): Promise<readonly CatalogChunk[]> {
    const all = await this.#shelfOf(place).catalog.chunks();
    const fromMs = this.#options.clock.dateMs() - windowMs;
    return all.filter(({ pieces, endMs }) => pieces.length > 0 && endMs > fromMs);
  }

  #enter(exchange: Exchange, wish: Wish): void {
    const { place, query } = wish;
    const key = streamKey(place);
    this.#options.door.enter(
      exchange,
      { place, key, query },
      {
        edge: () => this.#send(exchange, wish, moment),
        first: (id) => this.#sendMaster(exchange, wish, id),
        next: (viewer) => this.#send(exchange, wish, this.#ownCaching(place), viewer),
        open: () => this.#send(exchange, wish, this.#ownCaching(place)),
      },
    );
  }

  servePiece(
    exchange: Exchange,
    { key, number }: RewindRequest,
    target: { readonly path: string; readonly query: string },
  ) {
    const place = placeOfKey(key);
    if (!place || this.#windowOf(place) === 0) exchange.fail(notPublished);
    else if (!this.#options.access.mayHavePiece(exchange, pathOf(place, number), target.query, this.#signs))
      exchange.fail(notSigned);
    else {
      this.#shelfOf(place)
        .catalog.files(number)
        .then((files) => {
          if (!files) exchange.fail(notPublished);
          else
            sendFiles(exchange, files, publicFormat.contentType, (bytes) =>
              this.#options.sockets.countPiece(exchange, bytes),
            );
        })
        .catch(() => exchange.destroy());
    }
  }

  #windowOf(place: StreamPlace | undefined): number {
    return place ? this.#rules.windowMs({ app: place.app, stream: place.name }) : 0;
  }

  #ownCaching(place: StreamPlace): string {
    return this.#options.access.isProtected(place) ? 'private, no-store' : 'no-cache';
  }

  /** The source alone: lower qualities are not kept. */
  #sendMaster(exchange: Exchange, wish: Wish, id: string): void {
    this.#whenReady(exchange, wish, (chunks) => {
      const { place, playback, query } = wish;
      const name = playback ?? encodeURIComponent(place.name.toWellFormed());
      const peak = chunks.reduce((most, chunk) => Math.max(most, chunk.peak), 0);
      const variant = { bandwidth: peak, averageBandwidth: 0, codecs: '', width: 0, height: 0, fps: 0 };
      const uri = `${name}${dvrMark}.m3u8?${withContext(query, id)}`;
      const isIndependent = chunks.every((chunk) => chunk.isIndependent);
      const text = masterPlaylist({ isIndependent, variants: [{ uri, ...variant }], renditions: [] });
      exchange.answerPrepared(preparedPlaylist(Buffer.from(text), this.#ownCaching(place)));
    });
  }

  #send(exchange: Exchange, wish: Wish, caching: string, viewer?: HlsViewer): void {
    const { sockets, viewers, access } = this.#options;
    this.#whenReady(exchange, wish, (chunks) => {
      // The viewer may have lost its permission while the disk was read.
      if (viewer && viewers.isKicked(viewer.entry.info.id)) {
        exchange.fail(gone);
        return;
      }
      if (viewer) sockets.bindRewinding(exchange, viewer, 1000 * targetSeconds(chunks));
      const isDelta = readDirectives(wish.query)?.isDelta ?? false;
      const isOver = this.#isOver(wish.place, chunks);
      const form = { isDelta, isOver, isSigned: access.isProtected(wish.place), caching, playback: wish.playback };
      sockets.count(exchange, exchange.answerPrepared(this.#prepared(wish, chunks, form)));
    });
  }

  /** Players that read an end do not ask again, so publishers that return soon must not have caused one. */
  #isOver(place: StreamPlace, chunks: readonly CatalogChunk[]): boolean {
    const { find, clock } = this.#options;
    const endMs = chunks.at(-1)?.endMs ?? 0;
    return !find(streamKey(place))?.isWatchable && clock.dateMs() - endMs >= returnMs;
  }

  #whenReady(exchange: Exchange, wish: Wish, then: (chunks: readonly CatalogChunk[]) => void): void {
    this.#listed(exchange, wish)
      .then((chunks) => {
        if (exchange.isOver) return;
        if (chunks.length > 0) then(chunks);
        else exchange.fail(this.#options.find(streamKey(wish.place))?.isWatchable ? busy : notPublished);
      })
      .catch(() => exchange.destroy());
  }

  /** Chunks of the window; waits for the first one of a stream that is live. */
  async #listed(exchange: Exchange, { place, windowMs }: Wish): Promise<readonly CatalogChunk[]> {
    const { clock, find } = this.#options;
    const deadlineMs = clock.elapsedMs() + firstPieceMs;
    for (;;) {
      const chunks = await this.#chunksOf(place, windowMs);
      if (chunks.length > 0) return chunks;
      if (exchange.isOver || clock.elapsedMs() >= deadlineMs || !find(streamKey(place))?.isWatchable) return [];
      await sleep(lookMs);
    }
  }

  #prepared(
    { place }: Wish,
    chunks: readonly CatalogChunk[],
    { isDelta, isOver, isSigned, caching, playback }: Form,
  ): Prepared {
    const shelf = this.#shelfOf(place);
    const isSame = chunks.length === shelf.answersFor.length && chunks.every((one, at) => one === shelf.answersFor[at]);
    if (!isSame || shelf.answers.size >= mostAnswers) shelf.answers = new Map();
    shelf.answersFor = chunks;
    const named = `${isSigned} ${playback ?? ''}`;
    const form = `${named} ${isDelta} ${isOver} ${caching}`;
    const known = shelf.answers.get(form);
    if (known) return known;
    const stem = stemOf(place);
    const name = playback === undefined ? stem : `/play/${playback}${dvrMark}-`;
    // Relative to the playlist, whose directory is that of the stream. A stream of another vhost is requested without it in the path.
    const shown = stem.includes('//') ? name : name.replace(/^.*\//s, '');
    const uri = (number: number, dateMs: number) =>
      `${shown}${number}.ts${isSigned ? `?${this.#signs.query(stem, dateMs)}` : ''}`;
    const textOf = (chunk: CatalogChunk) => {
      const texts = shelf.texts.get(chunk) ?? new Map<string, string>();
      shelf.texts.set(chunk, texts);
      const text = texts.get(named) ?? chunkText(chunk, uri);
      if (texts.size < mostAnswers) texts.set(named, text);
      return text;
    };
    const prepared = preparedPlaylist(Buffer.from(rewindPlaylist(chunks, textOf, { isDelta, isOver })), caching);
    shelf.answers.set(form, prepared);
    return prepared;
  }

  /** The least recently used make room. */
  #shelfOf(place: StreamPlace): Shelf {
    const { clock, directory } = this.#options;
    const key = streamKey(place);
    const known = this.#shelves.get(key);
    if (known) {
      this.#shelves.delete(key);
      this.#shelves.set(key, known);
      return known;
    }
    const { vhost, app, name: stream } = place;
    const folder = join(directory, rewindStreamFolder({ vhost, app, stream }));
    const shelf: Shelf = {
      catalog: new RewindCatalog(folder, () => clock.elapsedMs()),
      answers: new Map(),
      answersFor: [],
      texts: new WeakMap(),
    };
    const [oldest] = this.#shelves.keys();
    if (this.#shelves.size >= mostShelves && oldest !== undefined) this.#shelves.delete(oldest);
    this.#shelves.set(key, shelf);
    return shelf;
  }
}

/** Encoded path of a stream's pieces up to the number. */
function stemOf(place: StreamPlace): string {
  return `/${encodedKey(place)}${dvrMark}-`;
}

function pathOf(place: StreamPlace, number: number): string {
  return `${stemOf(place)}${number}.ts`;
}
