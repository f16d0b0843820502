import { type Locale, product } from '@weir/contract';
import { playTokenOf } from '@weir/streams';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { readClientAddress, readOrigin } from '../../core/http/call.ts';
import type { StaticFiles } from '../../core/http/static-files.ts';
import { calendarFile } from './calendar.ts';
import { frameSize, oEmbedAnswer, playbackInUrl } from './o-embed.ts';
import { fillPage, headOf, spokenLocale } from './watch-html.ts';
import { isPictureKind } from './watch-repository.ts';
import type { WatchService } from './watch-service.ts';

interface Context {
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
export function watchPages(fastify: FastifyInstance, context: Context): void {
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
      if (!picture) throw unknownStream();
      return sendPicture(reply, picture, `public, max-age=${pictureSeconds}`);
    }
    const picture = isPictureKind(part) ? await service.picture(playback, part) : undefined;
    if (!picture) throw unknownStream();
    const { v } = request.query as { v?: unknown };
    const cache = v === picture.version ? 'public, max-age=31536000, immutable' : 'public, max-age=60';
    return sendPicture(reply, { type: picture.type, bytes: Buffer.from(picture.base64, 'base64') }, cache);
  });
}

async function sendStream(context: Context, request: Request, reply: FastifyReply, name: PageName) {
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

async function send(context: Context, request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
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

async function sendCalendar({ service, clock }: Context, request: Request, reply: FastifyReply): Promise<FastifyReply> {
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

/** Everybody may show the player of a stream whose rule names no sites. */
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
