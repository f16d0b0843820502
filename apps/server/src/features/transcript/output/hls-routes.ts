import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { transcriptHlsPath } from '@weir/contract';
import type { FastifyReply } from 'fastify';
import { WeirError } from '../../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../../core/http/http-app.ts';
import type { SegmentFiles } from '../pipeline/segment-files.ts';
import { type SegmentRow, shownCues, tsidsOf } from '../pipeline/segment-row.ts';
import type { TranscriptPipelines } from '../pipeline/transcript-pipelines.ts';
import type { Translations } from '../translation/translations.ts';
import { listed, livePlaylist, masterPlaylist } from './playlists.ts';
import { webVtt } from './webvtt.ts';

interface Context {
  readonly lanes: TranscriptPipelines;
  readonly files: SegmentFiles;
  /** The one that is spoken, and those it is translated into. */
  readonly languages: () => { readonly language: string; readonly translations: readonly string[] };
  readonly translations: Pick<Translations, 'cuesIn'>;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const playlistPath = new RegExp(`^(overlay|original|webvtt)/(${uuid})\\.m3u8$`);
const code = '[A-Za-z0-9-]{2,35}';
const indexPath = new RegExp(`^webvtt/(${uuid})/(index|subtitles)(?:-(${code}))?\\.m3u8$`);
/** Only the last part counts. */
const piecePath = new RegExp(
  `^(?:overlay|original|webvtt)/(?:[^/]+/)*(\\d{1,16}-(?:org|overlay)-(${uuid}))(?:\\.(${code}))?\\.(ts|vtt)$`,
);

const playlistType = 'application/vnd.apple.mpegurl';

/** The outputs, for players: whoever knows the uuid of a task may watch it, as clients of this API expect. */
export function hlsRoutes(http: HttpApp, context: Context): void {
  http.fastify.route<{ Params: { '*': string } }>({
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
      return sendText(reply, playlistType, playlistAt(context, path), isHead);
    },
  });
}

function playlistAt({ lanes, languages }: Context, path: string): string {
  const [, kind, plain] = playlistPath.exec(path) ?? [];
  const [, indexed, index, to] = indexPath.exec(path) ?? [];
  const lane = lanes.of(plain ?? indexed ?? 'none');
  const rows = lane?.queue('overlay') ?? [];
  if (!lane || rows.length === 0) throw new WeirError('not_found', 'there is no transcript output at this path yet');
  const window = { rows, seamsGone: lane.row.seamsGone };
  if (to !== undefined) assertLanguage(languages(), index === 'subtitles' ? to : '');
  if (index === 'index') return masterPlaylist(lane.row.uuid, languages(), rows);
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
  return tsid === tsidsOf(row).org ? files.org(row) : files.overlay(row);
}

async function sendFile(reply: FastifyReply, file: string, isHead: boolean): Promise<FastifyReply> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new WeirError('not_found', 'this segment no longer exists', { cause });
  });
  // The name holds a random id: what it names never changes.
  reply.headers({ 'content-type': 'video/mp2t', 'content-length': size, 'cache-control': 'public, max-age=60' });
  return reply.send(isHead ? null : createReadStream(file));
}

function sendText(reply: FastifyReply, type: string, text: string, isHead: boolean): FastifyReply {
  const bytes = Buffer.from(text);
  reply.headers({ 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  return reply.send(isHead ? null : bytes);
}
