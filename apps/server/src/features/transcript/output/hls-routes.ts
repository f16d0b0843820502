import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { transcriptHlsPath } from '@weir/contract';
import type { FastifyReply } from 'fastify';
import { WeirError } from '../../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../../core/http/http-app.ts';
import type { Lanes } from '../lane/lanes.ts';
import type { SegmentFiles } from '../lane/segment-files.ts';
import { type SegmentRow, tsidsOf } from '../lane/segment-row.ts';
import { livePlaylist, masterPlaylist } from './playlists.ts';
import { webVtt } from './webvtt.ts';

interface Context {
  readonly lanes: Lanes;
  readonly files: SegmentFiles;
  readonly language: () => string;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const playlistPath = new RegExp(`^(overlay|original|webvtt)/(${uuid})\\.m3u8$`);
const indexPath = new RegExp(`^webvtt/(${uuid})/(index|subtitles)\\.m3u8$`);
/** Only the last part counts. */
const piecePath = new RegExp(
  `^(?:overlay|original|webvtt)/(?:[^/]+/)*(\\d{1,16}-(?:org|overlay)-(${uuid}))\\.(ts|vtt)$`,
);

const playlistType = 'application/vnd.apple.mpegurl';

/** The outputs, for players: whoever knows the uuid of a task may watch it, as clients of this API expect. */
export function hlsRoutes(http: HttpApp, { lanes, files, language }: Context): void {
  http.fastify.route<{ Params: { '*': string } }>({
    method: anyMethod,
    url: `${transcriptHlsPath}/*`,
    handler: async (request, reply) => {
      await lanes.load();
      const path = request.params['*'];
      const isHead = request.method === 'HEAD';
      const [, tsid = '', id = '', ending] = piecePath.exec(path) ?? [];
      if (ending === 'ts') return sendFile(reply, fileOf(lanes, files, tsid, id), isHead);
      if (ending === 'vtt') return sendText(reply, 'text/vtt', webVtt(findRow(lanes, id)), isHead);
      return sendText(reply, playlistType, playlistAt(lanes, path, language()), isHead);
    },
  });
}

function playlistAt(lanes: Lanes, path: string, language: string): string {
  const [, kind, plain] = playlistPath.exec(path) ?? [];
  const [, indexed, index] = indexPath.exec(path) ?? [];
  const lane = lanes.of(plain ?? indexed ?? 'none');
  const rows = lane?.queue('overlay') ?? [];
  if (!lane || rows.length === 0) throw new WeirError('not_found', 'there is no transcript output here, or none yet');
  const window = { rows, seamsGone: lane.row.seamsGone };
  if (index === 'index') return masterPlaylist(lane.row.uuid, language, rows);
  if (index === 'subtitles') return livePlaylist(window, 'webvtt', 'subtitles');
  if (kind === 'overlay') return livePlaylist(window, 'overlay', 'overlay');
  return livePlaylist(window, kind === 'original' ? 'original' : 'webvtt', 'original');
}

/** Only what is in an output: what waits for its text is not shown before. */
function findRow(lanes: Lanes, id: string): SegmentRow {
  const found = lanes.all.flatMap((lane) => lane.queue('overlay')).find((row) => row.id === id);
  if (!found) throw new WeirError('not_found', 'this segment is not in the transcript output');
  return found;
}

function fileOf(lanes: Lanes, files: SegmentFiles, tsid: string, id: string): string {
  const row = findRow(lanes, id);
  return tsid === tsidsOf(row).org ? files.org(row) : files.overlay(row);
}

async function sendFile(reply: FastifyReply, file: string, isHead: boolean): Promise<FastifyReply> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new WeirError('not_found', 'this segment is no longer there', { cause });
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
