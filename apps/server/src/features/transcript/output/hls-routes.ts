import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { transcriptHlsPath } from '@weir/contract';
import type { StreamPlace } from '@weir/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../../core/errors.ts';
import { readClientAddress } from '../../../core/http/call.ts';
import { anyMethod, type HttpApp } from '../../../core/http/http-app.ts';
import { wrappedMs } from '../../../pipelines/segment-start.ts';
import { usualFormat } from '../../../segments/segment-feed.ts';
import type { Cue } from '../../../speech/cue.ts';
import { languageName } from '../language-name.ts';
import type { SegmentFiles } from '../pipeline/segment-files.ts';
import { type SegmentRow, segmentIds, shownCues } from '../pipeline/segment-row.ts';
import type { TranscriptPipelines } from '../pipeline/transcript-pipelines.ts';
import type { Translations } from '../translation/translations.ts';

type Kind = 'overlay' | 'original' | 'webvtt';

interface Window {
  readonly rows: readonly SegmentRow[];
  /** Discontinuities that were in it once. */
  readonly seamsGone: number;
}

/** Which segments each playlist lists. */
export const listed = {
  overlay: (row: SegmentRow) => segmentIds(row).overlay + usualFormat.extension,
  original: (row: SegmentRow) => segmentIds(row).org + usualFormat.extension,
  subtitles: (row: SegmentRow) => `${segmentIds(row).overlay}.vtt`,
  translation: (language: string) => (row: SegmentRow) => `${segmentIds(row).overlay}.${language}.vtt`,
} as const;

/** RFC 8216, a live window: it never ends. */
export function livePlaylist({ rows, seamsGone }: Window, kind: Kind, fileOf: (row: SegmentRow) => string): string {
  const longestMs = Math.max(1000, ...rows.map(({ durationMs }) => durationMs));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-MEDIA-SEQUENCE:${rows[0]?.number ?? 0}`,
    `#EXT-X-TARGETDURATION:${Math.ceil(longestMs / 1000)}`,
    ...(seamsGone > 0 ? [`#EXT-X-DISCONTINUITY-SEQUENCE:${seamsGone}`] : []),
  ];
  for (const row of rows) {
    if (row.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    const uri = `${transcriptHlsPath}/${kind}/${fileOf(row)}`;
    lines.push(`#EXTINF:${(row.durationMs / 1000).toFixed(2)}, no desc`, uri);
  }
  return `${lines.join('\n')}\n`;
}

/** The video with its subtitles beside it. */
export function masterPlaylist(
  uuid: string,
  { language, translations }: { readonly language: string; readonly translations: readonly string[] },
  rows: readonly SegmentRow[],
  query = '',
): string {
  const rates = rows.map(({ bytes, durationMs }) => (8000 * bytes) / Math.max(1, durationMs));
  const bandwidth = Math.max(1, Math.ceil(Math.max(...rates, 0)));
  // Languages are checked when they are saved; a quote could end the attribute.
  const code = language.replace(/[^A-Za-z0-9-]/g, '') || 'und';
  const lines = [
    '#EXTM3U',
    subtitlesLine({
      name: `Subtitle-${code.toUpperCase()}`,
      language: code,
      isDefault: true,
      file: `subtitles.m3u8${query}`,
    }),
    ...translations.map((to) =>
      subtitlesLine({ name: languageName(to), language: to, isDefault: false, file: `subtitles-${to}.m3u8${query}` }),
    ),
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},SUBTITLES="subs"`,
    `${transcriptHlsPath}/webvtt/${uuid}.m3u8${query}`,
  ];
  return `${lines.join('\n')}\n`;
}

function subtitlesLine(rendition: { name: string; language: string; isDefault: boolean; file: string }): string {
  const { name, language, isDefault, file } = rendition;
  const head = `TYPE=SUBTITLES,GROUP-ID="subs",NAME="${name.replace(/["\r\n]/g, '')}",LANGUAGE="${language}"`;
  return `#EXT-X-MEDIA:${head},DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES,FORCED=NO,URI="${file}"`;
}

interface Context {
  readonly lanes: TranscriptPipelines;
  readonly files: SegmentFiles;
  /** Spoken language and languages of translations. */
  readonly languages: () => { readonly language: string; readonly translations: readonly string[] };
  readonly translations: Pick<Translations, 'cuesIn'>;
  readonly access: OutputAccess;
}

/** Decides whether a visitor may watch the stream of an output. */
export interface OutputAccess {
  judgeStream(
    place: StreamPlace,
    visitor: { readonly token: string; readonly address: string; readonly site: string },
  ): Promise<{ readonly mode: string; readonly refusal: string }>;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const playlistPath = new RegExp(`^(overlay|original|webvtt)/(${uuid})\\.m3u8$`);
const code = '[A-Za-z0-9-]{2,35}';
const indexPath = new RegExp(`^webvtt/(${uuid})/(index|subtitles)(?:-(${code}))?\\.m3u8$`);
/** Only the last part counts. */
const piecePath = new RegExp(
  `^(?:overlay|original|webvtt)/(?:[^/]+/)*(\\d{1,16}-(?:org|overlay)-(${uuid}))(?:\\.(${code}))?\\.(ts|vtt)$`,
);

const isToken = /^[\w.-]{1,2048}$/;
const playlistType = 'application/vnd.apple.mpegurl';

/**
 * Serves the outputs to players. The uuid of a task gives access, as clients of this API expect, unless the stream has a rule of play
 * access: then its playlists need the same credential. Pieces have random names, known only from playlists, and are gone within minutes.
 */
export function hlsRoutes(http: Pick<HttpApp, 'fastify'>, context: Context): void {
  http.fastify.route<{ Params: { '*': string }; Querystring: { token?: unknown } }>({
    method: anyMethod,
    url: `${transcriptHlsPath}/*`,
    handler: async (request, reply) => {
      const { lanes, files } = context;
      await lanes.load();
      const path = request.params['*'];
      const isHead = request.method === 'HEAD';
      const [, tsid = '', id = '', language, ending] = piecePath.exec(path) ?? [];
      if (ending === 'ts' && language === undefined) return sendFile(reply, fileOf(lanes, files, tsid, id), isHead);
      if (ending === 'vtt') return sendText(reply, 'text/vtt', subtitlesOf(context, id, language), isHead);
      const { token = '' } = request.query;
      const query = typeof token === 'string' && isToken.test(token) ? `?token=${token}` : '';
      await assertMayWatch(context, path, request, query.slice('?token='.length));
      return sendText(reply, playlistType, playlistAt(context, path, query), isHead);
    },
  });
}

/** Throws unless the rule of the stream lets this viewer watch. What a receiver of callbacks decides is not for outputs. */
async function assertMayWatch(
  { lanes, access }: Context,
  path: string,
  request: FastifyRequest,
  token: string,
): Promise<void> {
  const [, , plain] = playlistPath.exec(path) ?? [];
  const [, indexed] = indexPath.exec(path) ?? [];
  const [row] = lanes.of(plain ?? indexed ?? 'none')?.queue('overlay') ?? [];
  if (!row) return;
  const { vhost, app, stream: name } = row;
  const visitor = { token, address: readClientAddress(request), site: siteOf(request) };
  const { mode, refusal } = await access.judgeStream({ vhost, app, name }, visitor);
  if (refusal !== '' || mode === 'callback') {
    throw new WeirError('token', 'this stream is protected: add a playback token as token=');
  }
}

/** Site that embeds the player, by the engine's rules: `same` for a page of this server, empty when the request does not say. */
function siteOf({ headers, host: own }: FastifyRequest): string {
  if (headers['sec-fetch-site'] === 'same-origin') return 'same';
  const page = headers.origin ?? headers.referer;
  const host = page !== undefined && URL.canParse(page) ? new URL(page).host : '';
  return host !== '' && host === own ? 'same' : host.replace(/:\d+$/, '');
}

function playlistAt({ lanes, languages }: Context, path: string, query: string): string {
  const [, kind, plain] = playlistPath.exec(path) ?? [];
  const [, indexed, index, to] = indexPath.exec(path) ?? [];
  const lane = lanes.of(plain ?? indexed ?? 'none');
  const rows = lane?.queue('overlay') ?? [];
  if (!lane || rows.length === 0) throw new WeirError('not_found', 'there is no transcript output at this path yet');
  const window = { rows, seamsGone: lane.row.seamsGone };
  if (to !== undefined) assertLanguage(languages(), index === 'subtitles' ? to : '');
  if (index === 'index') return masterPlaylist(lane.row.uuid, languages(), rows, query);
  if (index === 'subtitles') {
    return livePlaylist(window, 'webvtt', to === undefined ? listed.subtitles : listed.translation(to));
  }
  if (kind === 'overlay') return livePlaylist(window, 'overlay', listed.overlay);
  return livePlaylist(window, kind === 'original' ? 'original' : 'webvtt', listed.original);
}

function subtitlesOf({ lanes, languages, translations }: Context, id: string, language: string | undefined): string {
  const row = findRow(lanes, id);
  if (language === undefined) return webVtt(row);
  assertLanguage(languages(), language);
  return webVtt(row, translations.cuesIn(language, row, row.clientId, shownCues(row)));
}

function assertLanguage({ translations }: ReturnType<Context['languages']>, language: string): void {
  if (!translations.includes(language)) throw new WeirError('not_found', 'there is no translation into this language');
}

/** Only what is in an output: what waits for its text is not shown before. */
function findRow(lanes: TranscriptPipelines, id: string): SegmentRow {
  const found = lanes.all.flatMap((lane) => lane.queue('overlay')).find((row) => row.id === id);
  if (!found) throw new WeirError('not_found', 'this segment is not in the transcript output');
  return found;
}

function fileOf(lanes: TranscriptPipelines, files: SegmentFiles, tsid: string, id: string): string {
  const row = findRow(lanes, id);
  return tsid === segmentIds(row).org ? files.org(row) : files.overlay(row);
}

async function sendFile(reply: FastifyReply, file: string, isHead: boolean): Promise<FastifyReply> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new WeirError('not_found', 'this segment no longer exists', { cause });
  });
  // The name holds a random id: what it names never changes.
  reply.headers({
    'content-type': usualFormat.contentType,
    'content-length': size,
    'cache-control': 'public, max-age=60',
  });
  return reply.send(isHead ? null : createReadStream(file));
}

function sendText(reply: FastifyReply, type: string, text: string, isHead: boolean): FastifyReply {
  const bytes = Buffer.from(text);
  reply.headers({ 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return reply.send(isHead ? null : bytes);
}

/**
 * The text of one segment, on the clock of its packets (RFC 8216, 3.5). A cue that reaches into the next segment stands in both
 * with the same times, which players take for one.
 */
export function webVtt(row: SegmentRow, texts: readonly Cue[] = shownCues(row)): string {
  const shiftMs = wrappedMs(row.startMs ?? 0) - (row.startMs ?? 0);
  const cues = texts.map(
    ({ startMs, endMs, text }) => `${time(startMs + shiftMs)} --> ${time(endMs + shiftMs)}\n${plain(text)}\n\n`,
  );
  return `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n${cues.join('')}`;
}

function time(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  const digits = (value: number, width = 2) => String(Math.floor(value)).padStart(width, '0');
  return `${digits(whole / 3_600_000)}:${digits((whole / 60_000) % 60)}:${digits((whole / 1000) % 60)}.${digits(whole % 1000, 3)}`;
}

/** Signs of markup are written out; an empty line would end the cue. */
function plain(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text
    .split(/\r?\n|\r/)
    .map((line) => line.replace(/[&<>]/g, (sign) => signs[sign] ?? sign).trim())
    .filter((line) => line !== '')
    .join('\n');
}
