import { ownTicketParameter } from '@weir/plane';
import type { Input } from '@weir/process';
import {
  compareTexts,
  defaultVhost,
  findOwnPlace,
  findOwnProtocol,
  isOwnHost,
  type OwnAddresses,
  parsePlaces,
  placeText,
  srtStreamId,
  streamLabel,
} from '@weir/streams';
import type { Clock } from '../core/clock.ts';
import { WeirError } from '../core/errors.ts';
import { type Events, type PublishedStream, publicationKey } from '../core/events.ts';
import type { OwnEndpoint } from '../core/outgoing/media/outgoing-media.ts';
import { TtlCache } from '../core/ttl-cache.ts';
import type { MediaServer } from '../media-server/media-server.ts';
import type { Outputs } from './outputs.ts';
import type { OwnEndpoints } from './own-endpoints.ts';
import { findLoop, joinMadeFrom, type MadeFrom } from './stream-loops.ts';

/** A live stream of this server that a program may read. */
export interface LiveInput extends OwnInput {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly publishedAt: string;
  /** Id of the publisher: a new one is a reason to retry. */
  readonly clientId: string;
  /** Display name: `app/name`, with the vhost in front unless it is the default one. */
  readonly name: string;
  /** True if our own programs produce it; it is then taken only by explicit name. */
  readonly isMadeByUs: boolean;
}

/** Live streams at one moment, newest first. */
export interface LiveView {
  readonly streams: readonly LiveInput[];
  /** `vhost/app/name` of the stream of this server that a push to an address makes, if it makes one. */
  readonly ownPlaceOf: (url: string) => string | undefined;
  /** True if a push of a stream to an address would lead the output of a program into its own input. */
  readonly isLoop: (from: LiveInput, to: string) => boolean;
}

interface Context {
  readonly events: Events;
  readonly mediaServer: MediaServer;
  readonly doors: OwnEndpoints;
  readonly srtPassphrase: string;
  /** Token with which the engine tells our programs from viewers. */
  readonly ownToken: string;
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

/** Every feature looks at each coming and going. A crowd that comes at once must not have all streams listed for each of it. */
const codecsFreshMs = 500;

/**
 * Live streams as inputs of features. Updated by publish events, which precede the engine's list of streams: readers then wait for the
 * first frame instead of polling.
 */
export class LiveInputs {
  readonly #context: Context;
  readonly #published = new Map<string, PublishedStream>();
  readonly #outputs: Outputs[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #needingSrt: TtlCache<ReadonlySet<string>>;

  constructor(context: Context) {
    this.#context = context;
    this.#needingSrt = new TtlCache(() => this.#findSrtOnly(), codecsFreshMs, context.clock);
    context.events.on('stream:published', (stream) => {
      this.#published.set(publicationKey(stream), stream);
      this.#notify();
    });
    context.events.on('stream:ended', (stream) => {
      this.#published.delete(publicationKey(stream));
      this.#notify();
    });
  }

  /** Resolves true if one of these streams has a publisher now or within the given time. */
  whenLive(places: readonly string[], withinMs: number): Promise<boolean> {
    const isLive = () => [...this.#published.values()].some((stream) => places.includes(placeText(stream)));
    if (isLive()) return Promise.resolve(true);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      this.#waiting.delete(look);
      resolve(isThere);
    };
    const look = () => {
      if (isLive()) end(true);
    };
    const timer = setTimeout(() => end(false), withinMs);
    this.#waiting.add(look);
    return promise;
  }

  get outputs(): readonly Outputs[] {
    return this.#outputs;
  }

  registerOutputs(outputs: Outputs): void {
    this.#outputs.push(outputs);
  }

  /** Streams of the same moment are in the order of their names, so that a second look finds the same. */
  async look(): Promise<LiveView> {
    const { inside, own } = await this.#context.doors.look();
    const pushed = (await Promise.all(this.#outputs.map(({ urls }) => urls()))).flat();
    const made = new Set(pushed.map((url) => findOwnPlace(url, own)));
    const unique = new Map([...this.#published.values()].sort(oldestFirst).map((one) => [placeText(one), one]));
    const bySrt = unique.size > 0 ? await this.#needingSrt.get() : new Set<string>();
    const streams = [...unique.values()].sort(newestFirst).map((stream) => {
      const place = placeText(stream);
      return liveInput(
        stream,
        made.has(place),
        bySrt.has(place) ? this.#bySrt(stream, inside.srt) : this.#byRtmp(stream, inside.rtmp),
      );
    });
    const loops = await this.#loops(own);
    return {
      streams,
      ownPlaceOf: (url) => findOwnPlace(url, own),
      isLoop: (from, to) => loops([placeText(from)], to) !== undefined,
    };
  }

  /** Throws where a push of these streams, as people name them, would lead the output of a program into its own input. */
  async refuseLoop(from: readonly string[], to: string): Promise<void> {
    const found = await this.#context.doors.look().catch(() => undefined);
    const loop = found && (await this.#loops(found.own))(from, to);
    if (!loop) return;
    throw new WeirError(
      'invalid_input',
      `this would lead the output of a program into its own input (${loop.map(labelOf).join(' ← ')}), choose another stream or destination`,
    );
  }

  /** Streams of this server that an address reads, as `vhost/app/name`. */
  async ownPlacesAt(url: string): Promise<string[]> {
    const found = await this.#context.doors.look().catch(() => undefined);
    return found && findOwnProtocol(url, found.own) !== undefined ? parsePlaces(url) : [];
  }

  /** Adds what features push to streams of this server, and what they make of these. */
  async copiedInto(made: MadeFrom): Promise<MadeFrom> {
    const found = await this.#context.doors.look().catch(() => undefined);
    return found ? this.#joined(made, found.own) : made;
  }

  async #joined(made: MadeFrom, own: OwnAddresses): Promise<MadeFrom> {
    const copies = (await Promise.all(this.#outputs.map(({ copies }) => copies?.() ?? []))).flat();
    const pushed = copies.flatMap(({ from, to }) => {
      const place = findOwnPlace(to, own);
      return place === undefined || from === '' ? [] : [{ from, place }];
    });
    const known = new Set([...made.keys(), ...[...made.values()].flat(), ...pushed.map(({ place }) => place)]);
    const copied = new Map<string, string[]>();
    for (const { from, place } of pushed) {
      copied.set(place, [...(copied.get(place) ?? []), ...[...known].filter((one) => isNamed(one, from))]);
    }
    return joinMadeFrom(made, copied);
  }

  /** Without a program there is no loop: a stream has one publisher. */
  async #loops(own: OwnAddresses) {
    const all = await Promise.all(this.#outputs.map(({ made }) => made?.()));
    const programs = all.reduce<MadeFrom>((sum, made) => (made ? joinMadeFrom(sum, made) : sum), new Map());
    const madeFrom = programs.size > 0 ? await this.#joined(programs, own) : programs;
    return (from: readonly string[], to: string): readonly string[] | undefined => {
      const made = programs.size > 0 ? findOwnPlace(to, own) : undefined;
      if (made === undefined) return undefined;
      const known = [made, ...madeFrom.keys()].filter((place) => from.some((name) => isNamed(place, name)));
      const loop = findLoop(made, joinMadeFrom(madeFrom, new Map([[made, known]])));
      return loop?.some((place) => programs.has(place)) ? loop : undefined;
    };
  }

  /** The stream of this server that a push to an address makes, as people name it; undefined when it goes elsewhere. */
  async ownStreamOf(url: string): Promise<string | undefined> {
    // An unknown state must not fail a query that only shows it.
    const found = await this.#context.doors.look().catch(() => undefined);
    const place = found && findOwnPlace(url, found.own);
    return place === undefined ? undefined : labelOf(place);
  }

  /** True if the publisher of this stream at this address is our own program. */
  async isOwnPublisher(
    publisher: Pick<PublishedStream, 'vhost' | 'app' | 'stream'> & { address: string },
  ): Promise<boolean> {
    const { own } = await this.#context.doors.look();
    if (!isOwnHost(publisher.address, own)) return false;
    const pushed = (await Promise.all(this.#outputs.map(({ urls }) => urls()))).flat();
    return pushed.some((url) => findOwnPlace(url, own) === placeText(publisher));
  }

  /** The address by which our own process publishes a stream here. */
  async publishAddress({ vhost, app, stream }: Place, secret: string): Promise<string> {
    const { host, port } = (await this.#context.doors.look()).inside.rtmp;
    const query = new URLSearchParams({ ...(vhost !== defaultVhost && { vhost }), secret });
    return `rtmp://${host}:${port}/${encodeURI(app)}/${encodeURIComponent(stream)}?${query}`;
  }

  /** Local endpoint for a push to an own address; undefined if it goes elsewhere. */
  async ownDoorOf(url: string): Promise<OwnEndpoint | undefined> {
    // Without the engine nothing is pushed to it; other destinations need not wait for it.
    const found = await this.#context.doors.look().catch(() => undefined);
    if (!found || findOwnPlace(url, found.own) === undefined) return undefined;
    return found.inside[/^srt:/i.test(url) ? 'srt' : 'rtmp'];
  }

  #notify(): void {
    for (const look of this.#waiting) look();
    this.#context.events.emit('inputs:changed', null);
  }

  #byRtmp(stream: PublishedStream, door: OwnEndpoint): OwnInput {
    return rtmpInput(stream, { ...door, ownToken: this.#context.ownToken });
  }

  #bySrt(stream: PublishedStream, door: OwnEndpoint): OwnInput {
    const { srtPassphrase: passphrase, ownToken } = this.#context;
    return srtInput(stream, { ...door, ownToken, passphrase });
  }

  /**
   * Streams with H.265, which ffmpeg 5.1 reads over SRT but not over RTMP. The codec is known shortly after publishing; earlier RTMP
   * readers fail, because all tracks are requested, and try again.
   */
  async #findSrtOnly(): Promise<ReadonlySet<string>> {
    const { mediaServer } = this.#context;
    try {
      const live = (await mediaServer.streams()).filter(({ media }) => media?.video?.codec === 'H265');
      if (live.length === 0) return new Set();
      const isReady = (await mediaServer.health()).listeners.some(({ protocol, ready }) => protocol === 'srt' && ready);
      return new Set(isReady ? live.map(({ name, ...place }) => placeText({ ...place, stream: name })) : []);
    } catch {
      // The engine is away. What it would say matters to few, and they fail with a reason.
      return new Set();
    }
  }
}

/**
 * Chooses the input for `name`, `app/name` or `vhost/app/name`; empty = the newest foreign stream. Never the output `to` itself.
 * `current` is kept while it is live, so that a later stream does not replace it.
 */
export function chooseInput(
  { streams, ownPlaceOf, isLoop }: LiveView,
  wanted: string,
  { current, to }: { current: string | undefined; to: string },
): LiveInput | undefined {
  const ownPlace = ownPlaceOf(to);
  const candidates = streams.filter(
    (input) => placeText(input) !== ownPlace && fits(input, wanted) && !isLoop(input, to),
  );
  return candidates.find(({ name }) => name === current) ?? candidates[0];
}

function fits(input: LiveInput, wanted: string): boolean {
  const text = wanted.trim().replace(/^\/+|\/+$/g, '');
  if (text === '') return !input.isMadeByUs;
  const { vhost, app, stream } = input;
  return text === stream || text === `${app}/${stream}` || text === `${vhost}/${app}/${stream}`;
}

/** True if `name`, `app/name` or `vhost/app/name` may mean this place. Where its app ends is unknown. */
function isNamed(place: string, name: string): boolean {
  return place === name || place.endsWith(`/${name}`);
}

function labelOf(place: string): string {
  return place.startsWith(`${defaultVhost}/`) ? place.slice(defaultVhost.length + 1) : place;
}

function liveInput(published: PublishedStream, isMadeByUs: boolean, read: OwnInput): LiveInput {
  const { vhost, app, stream, publishedAt, clientId } = published;
  return { vhost, app, stream, publishedAt, clientId, name: streamLabel(published), isMadeByUs, ...read };
}

function oldestFirst(a: PublishedStream, b: PublishedStream): number {
  return compareTexts(a.publishedAt, b.publishedAt) || compareTexts(a.clientId, b.clientId);
}

function newestFirst(a: PublishedStream, b: PublishedStream): number {
  return compareTexts(b.publishedAt, a.publishedAt) || compareTexts(placeText(a), placeText(b));
}

/** Input options for reading a stream of this server. */
interface OwnInput {
  readonly input: Input;
  /** The same with the video of a quality such as `720p`, or of the next smaller one that the stream has. */
  readonly ofQuality: (quality: string) => Input;
  /** Secrets in the address, kept out of logs. */
  readonly secrets: readonly string[];
}

interface Place {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

interface Door {
  readonly host: string;
  readonly port: number;
  /** In its place the supervisor puts a ticket when it starts a program: what is planned stays the same. */
  readonly ownToken: string;
}

function rtmpInput(place: Place, door: Door): OwnInput {
  const ofQuality = (quality: string) => rtmpSource(place, door, { quality });
  return { input: rtmpSource(place, door), ofQuality, secrets: [door.ownToken] };
}

function rtmpSource(
  { vhost, app, stream }: Place,
  { host, port, ownToken }: Door,
  wish: Readonly<Record<string, string>> = {},
): Input {
  const query = { ...(vhost !== defaultVhost && { vhost }), [ownTicketParameter]: ownToken, ...wish };
  const playPath = `${stream}?${new URLSearchParams(query)}`;
  const options = [
    // Our own server sends the headers of both tracks first: a long look would only delay the start.
    '-analyzeduration',
    '1000000',
    '-probesize',
    '1000000',
    '-rw_timeout',
    '15000000',
    // Passed separately, because ffmpeg splits an address of more than two parts differently from us.
    '-rtmp_app',
    app,
    '-rtmp_playpath',
    playPath,
    '-rtmp_live',
    'live',
  ];
  const url = `rtmp://${host}:${port}/${encodeURI(app)}/${encodeURI(stream)}`;
  return { kind: 'live', isWhole: true, url, options };
}

type SrtDoor = Door & { readonly passphrase: string };

function srtInput(place: Place, door: SrtDoor): OwnInput {
  const { ownToken, passphrase } = door;
  const secrets = passphrase === '' ? [ownToken] : [ownToken, passphrase, encodeURIComponent(passphrase)];
  const ofQuality = (quality: string) => srtSource(place, door, { quality });
  return { input: srtSource(place, door), ofQuality, secrets };
}

function srtSource(
  { vhost, app, stream }: Place,
  { host, port, ownToken, passphrase }: SrtDoor,
  wish: Readonly<Record<string, string>> = {},
): Input {
  const more = { ...(vhost !== defaultVhost && { vhost }), [ownTicketParameter]: ownToken, ...wish };
  const id = srtStreamId({ app, name: stream }, 'request', more);
  const query = new URLSearchParams({ streamid: id, ...(passphrase !== '' && { passphrase }) });
  // ffmpeg takes a plus for itself.
  const url = `srt://${host}:${port}?${query.toString().replaceAll('+', '%20')}`;
  const options = ['-analyzeduration', '3000000', '-probesize', '3000000'];
  return { kind: 'live', isWhole: true, url, options };
}
