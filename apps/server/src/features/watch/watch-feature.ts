import { type Branding, type Locale, product, watchApi, watchPageApi } from '@weir/contract';
import { playbackIdPattern, playTokenOf, type WirePlace } from '@weir/streams';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { readClientAddress, readOrigin } from '../../core/http/call.ts';
import { spokenLocale } from '../../core/http/spoken-locale.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { OwnerPictures } from './owner-picture.ts';
import { escapeHtml, fillPage, headOf } from './watch-html.ts';
import { isPictureKind, WatchRepository } from './watch-repository.ts';
import { type Access, type Streams, WatchService } from './watch-service.ts';

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly mediaServer: MediaServer;
  readonly access: Access;
  readonly streams: Streams;
  readonly branding: { read(): Promise<Branding> };
  readonly thumbnail: (place: WirePlace) => Promise<unknown>;
  readonly files: StaticFiles | undefined;
}

/** Pages for viewers: of a stream, for embedding, and of the channel; and what owners decide about them. */
export function watchFeature(context: Context): Feature {
  const { store, files, branding, clock } = context;
  const service = new WatchService({
    ...context,
    repository: new WatchRepository(store),
    pictures: new OwnerPictures(),
  });
  return {
    routes: (http) => {
      http.route(watchPageApi.query, (place) => service.owned(place));
      http.route(watchPageApi.save, ({ page, ...place }) => service.save(place, page));
      http.route(watchPageApi.picture, ({ kind, picture, ...place }) => service.setPicture(place, kind, picture));
      http.route(watchPageApi.channel, () => service.channel());
      http.route(watchPageApi.saveChannel, (channel) => service.saveChannel(channel));
      http.route(watchApi.describe, ({ playback, token }, { address }) =>
        service.describe(playback, { token, address }),
      );
      http.route(watchApi.channel, () => service.listed());
      watchPages(http.fastify, { service, branding, files, clock });
    },
  };
}

interface WatchPagesContext {
  readonly service: WatchService;
  readonly branding: { read(): Promise<{ title: string; icp: string }> };
  /** Undefined while the pages are not built. */
  readonly files: StaticFiles | undefined;
  readonly clock: Clock;
}

type PageName = 'watch' | 'embed' | 'channel';
type Data = Parameters<typeof fillPage>[1];
type Request = FastifyRequest<{ Params: { playback: string; part: string } }>;

const methods = ['GET', 'HEAD'];
const pictureSeconds = 20;

/** Pages of viewers under `/watch/` and `/embed/`, with their pictures and what other programs read of them. */
function watchPages(fastify: FastifyInstance, context: WatchPagesContext): void {
  const { service } = context;
  const get = (url: string, handler: (request: Request, reply: FastifyReply) => Promise<FastifyReply>) =>
    fastify.route({ method: methods, url, handler: (request, reply) => handler(request as Request, reply) });

  get('/watch/:playback', (request, reply) => sendStream(context, request, reply, 'watch'));
  get('/embed/:playback', (request, reply) => sendStream(context, request, reply, 'embed'));
  get('/watch/', async (request, reply) => {
    const channel = await service.listed();
    const data: Data = channel.isOn ? { kind: 'channel', channel } : { kind: 'unknown', site: channel.site };
    return send(context, request, reply, { name: 'channel', data, isPublic: true, ancestors: "'self'" });
  });
  get('/watch/oembed', async (request, reply) => {
    const { url = '', format = 'json', maxwidth, maxheight } = request.query as Record<string, string | undefined>;
    if (format !== 'json') return reply.code(501).header('content-type', 'text/plain').send('only json');
    const origin = readOrigin(request);
    const playback = playbackInUrl(String(url), origin);
    if (playback === undefined) throw unknownStream();
    const { page, pictures, site, isLive } = await service.describe(playback, { token: '', address: '' });
    if (!page.allowsSharing) throw unknownStream();
    const hasPicture = pictures.poster !== '' || (isLive && (await service.isPublic(playback)));
    const title = page.title || site.title || product.name;
    const size = frameSize(maxwidth, maxheight);
    const answer = oEmbedAnswer({ origin, playback, title, site: site.title || product.name, hasPicture, ...size });
    return sendText(reply, JSON.stringify(answer), 'application/json; charset=utf-8', 'public, max-age=60');
  });
  get('/watch/:playback/:part', async (request, reply) => {
    const { playback, part } = request.params;
    if (part === 'event.ics') return sendCalendar(context, request, reply);
    if (part === 'picture.jpg') {
      const picture = await service.publicPicture(playback);
      // Pages ask for the picture of a stream that may have none yet: an error would be noise in the viewer's console.
      if (!picture) return reply.code(204).header('cache-control', 'no-store').send();
      return sendPicture(reply, picture, `public, max-age=${pictureSeconds}`);
    }
    const picture = isPictureKind(part) ? await service.picture(playback, part) : undefined;
    if (!picture) throw unknownStream();
    const { v } = request.query as { v?: unknown };
    const cache = v === picture.version ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
    return sendPicture(reply, { type: picture.type, bytes: Buffer.from(picture.base64, 'base64') }, cache);
  });
}

async function sendStream(context: WatchPagesContext, request: Request, reply: FastifyReply, name: PageName) {
  const { service, branding } = context;
  const { playback } = request.params;
  const token = playTokenOf(request.url.split('?')[1] ?? '');
  const stream = await service.describe(playback, { token, address: readClientAddress(request) }).catch(orNothing);
  const data: Data = stream ? { kind: 'stream', stream } : { kind: 'unknown', site: await branding.read() };
  const isPublic = stream !== undefined && (await service.isPublic(playback));
  const ancestors = name === 'embed' ? frameAncestors(stream?.sites ?? []) : "'self'";
  return send(context, request, reply, { name, data, isPublic, ancestors });
}

interface Page {
  readonly name: PageName;
  readonly data: Data;
  readonly isPublic: boolean;
  readonly ancestors: string;
}

async function send(
  context: WatchPagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  const { files } = context;
  const { name, data, isPublic, ancestors } = page;
  if (!files) throw new WeirError('unavailable', 'the pages are not built, start the server with npm start');
  const locale = localeOf(request);
  const template = await files.text(`watch/${name}.html`);
  const facts = headOf(data, readOrigin(request), locale, isPublic);
  const head = { ...facts, isIndexed: facts.isIndexed && name !== 'embed' };
  if (name !== 'embed') reply.header('x-frame-options', 'SAMEORIGIN');
  reply.headers(pageHeaders(ancestors)).code(data.kind === 'unknown' ? 404 : 200);
  return sendText(reply, fillPage(template, data, head, locale), 'text/html; charset=utf-8', 'private, no-cache');
}

async function sendCalendar(
  { service, clock }: WatchPagesContext,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { playback } = request.params;
  const { page, site } = await service.describe(playback, { token: '', address: '' });
  if (page.startsAt === '') throw unknownStream();
  const text = calendarFile({
    id: playback,
    title: page.title || site.title || product.name,
    description: page.description,
    url: `${readOrigin(request)}/watch/${playback}`,
    startsAt: page.startsAt,
    endsAt: page.endsAt,
    nowMs: clock.dateMs(),
  });
  reply.header('content-disposition', 'attachment; filename="event.ics"');
  return sendText(reply, text, 'text/calendar; charset=utf-8', 'no-cache');
}

function sendPicture(reply: FastifyReply, { type, bytes }: { type: string; bytes: Buffer }, cache: string) {
  const headers = {
    'content-type': type,
    'cache-control': cache,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  };
  return reply.headers(headers).send(bytes);
}

function sendText(reply: FastifyReply, text: string, type: string, cache: string): FastifyReply {
  const headers = { 'content-type': type, 'cache-control': cache, 'x-content-type-options': 'nosniff' };
  return reply.headers(headers).send(Buffer.from(text));
}

/** Scripts, styles and media of this server only. */
function pageHeaders(ancestors: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'permissions-policy': 'camera=(), microphone=(), display-capture=(), geolocation=()',
    'referrer-policy': 'no-referrer',
    vary: 'accept-language',
  };
}

/** Content of `frame-ancestors`: all sites where the rule of a stream names none. */
function frameAncestors(sites: readonly string[]): string {
  if (sites.length === 0) return '*';
  return ["'self'", ...sites.flatMap((site) => [`https://${site}:*`, `http://${site}:*`])].join(' ');
}

function localeOf({ query, headers }: FastifyRequest): Locale {
  const { lang } = query as { lang?: unknown };
  return spokenLocale(typeof lang === 'string' ? lang : headers['accept-language']);
}

function unknownStream(): WeirError {
  return new WeirError('not_found', 'there is no such stream');
}

function orNothing(error: unknown): undefined {
  if (error instanceof WeirError && error.kind === 'not_found') return undefined;
  throw error;
}

interface CalendarEvent {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Full URL of the watch page. */
  readonly url: string;
  readonly startsAt: string;
  /** Empty: an hour later. */
  readonly endsAt: string;
  readonly nowMs: number;
}

const hourMs = 3_600_000;
const lineBytes = 75;

/** An event as calendars import it (RFC 5545). Times are in UTC; each calendar shows its own zone. */
function calendarFile({ id, title, description, url, startsAt, endsAt, nowMs }: CalendarEvent): string {
  const startMs = Date.parse(startsAt);
  const givenMs = endsAt === '' ? Number.NaN : Date.parse(endsAt);
  const endMs = givenMs > startMs ? givenMs : startMs + hourMs;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Weir//Watch page//EN',
    'BEGIN:VEVENT',
    `UID:${id}@weir`,
    `DTSTAMP:${utc(nowMs)}`,
    `DTSTART:${utc(startMs)}`,
    `DTEND:${utc(endMs)}`,
    `SUMMARY:${escaped(title)}`,
    ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
    `URL:${url}`,
    `LOCATION:${escaped(url)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

function escaped(text: string): string {
  const plain = text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|\r|\n/g, '\\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what ends a line, or has no place in a text.
  return plain.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ');
}

/** Lines are 75 bytes at most; the rest follows after a blank. */
function folded(line: string): string {
  let bytes = 0;
  let text = '';
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (bytes + size > lineBytes) {
      text += '\r\n ';
      bytes = 1;
    }
    text += sign;
    bytes += size;
  }
  return text;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const usual: Size = { width: 960, height: 540 };
const leastWidth = 160;

/** The playback id in the URL of a watch or embed page of this server; undefined for any other URL. */
function playbackInUrl(text: string, origin: string): string | undefined {
  if (text.length > 2048 || origin === '' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined;
  const [, playback = ''] = /^\/(?:watch|embed)\/([^/]+)$/.exec(url.pathname) ?? [];
  return playbackIdPattern.test(playback) ? playback : undefined;
}

/** Size of a 16:9 frame within what the site has room for. */
function frameSize(maxWidth: string | undefined, maxHeight: string | undefined): Size {
  const most = (text: string | undefined) => (/^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.POSITIVE_INFINITY);
  const width = Math.max(leastWidth, Math.min(usual.width, most(maxWidth), Math.floor((most(maxHeight) * 16) / 9)));
  return { width, height: Math.round((width * 9) / 16) };
}

interface Embedded extends Size {
  readonly origin: string;
  readonly playback: string;
  readonly title: string;
  readonly site: string;
  /** Has a picture that strangers may see. */
  readonly hasPicture: boolean;
}

/** Answer of type `video` (oEmbed 1.0). */
function oEmbedAnswer({ origin, playback, title, site, hasPicture, width, height }: Embedded): object {
  const src = `${origin}/embed/${playback}`;
  const html =
    `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0" ` +
    'sandbox="allow-scripts allow-same-origin" allow="autoplay; fullscreen; picture-in-picture" loading="lazy"></iframe>';
  const picture = `${origin}/watch/${playback}/picture.jpg`;
  return {
    version: '1.0',
    type: 'video',
    title,
    provider_name: site,
    provider_url: origin,
    width,
    height,
    html,
    cache_age: 300,
    ...(hasPicture && { thumbnail_url: picture, thumbnail_width: 480, thumbnail_height: 270 }),
  };
}
