import { recordLanguageParameter, recordPlaybackPath, transcriptFormats } from '@weir/contract';
import { initIdPattern, segmentFormats } from '@weir/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../../core/http/http-app.ts';
import { sendFile } from '../../../core/http/send-file.ts';
import type { RecordingFiles } from './recording-files.ts';
import type { RecordingPlayback } from './recording-playback.ts';

interface Playback {
  readonly playback: RecordingPlayback;
  readonly files: RecordingFiles;
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const playlistPath = new RegExp(`^(${id})(?:/index)?\\.m3u8$`);
const segmentPath = new RegExp(`^(?:record/)?(${id})/(${id}\\.(?:ts|m4s))$`);
const initPath = new RegExp(`^(?:record/)?(${id})/init-(${initIdPattern})\\.mp4$`);
const filePath = new RegExp(`^(${id})/index\\.(mp4|jpg|srt|vtt|txt)$`);

const textTypes = { srt: 'application/x-subrip', vtt: 'text/vtt', txt: 'text/plain' } as const;

const alternate = (language: string) =>
  `<?${recordLanguageParameter}=${language}>; rel="alternate"; hreflang="${language}"`;

/** Playlists, segments, mp4, picture and transcript of recordings: for the administrator, or by a link to that one recording. */
export function playbackRoutes(http: HttpApp, { playback, files }: Playback): void {
  /** Before anything is looked up: strangers learn nothing, not even which ids there are. */
  const assertMay = async (
    request: FastifyRequest<{ Querystring: Query }>,
    reply: FastifyReply,
    uuid: string,
  ): Promise<string | undefined> => {
    const { sign, token } = request.query;
    if (typeof sign === 'string' && request.headers.authorization === undefined) {
      if (await playback.isGoodLink(uuid, sign)) return sign;
      throw new WeirError('token', 'this link has expired or belongs to another recording');
    }
    await http.authorise(request, reply, { queryToken: typeof token === 'string' ? token : undefined });
    return undefined;
  };

  http.fastify.route<{ Params: { '*': string }; Querystring: Query }>({
    method: anyMethod,
    url: `${recordPlaybackPath}/*`,
    handler: async (request, reply) => {
      const path = request.params['*'];
      const { query } = request;
      const known = [playlistPath, segmentPath, initPath, filePath].map((pattern) => pattern.exec(path));
      const [, uuid = '', second = ''] = known.find((match) => match !== null) ?? [];
      const link = await assertMay(request, reply, uuid);
      if (uuid === '') throw new WeirError('not_found', 'there is no recording file at this path');
      if (second === '') {
        const text = await playback.playlist(uuid, link);
        return reply
          .headers({ 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
          .send(Buffer.from(request.method === 'HEAD' ? '' : text));
      }
      if (second === 'jpg') {
        return sendFile(request, reply, { path: files.file(uuid, 'index.jpg'), type: 'image/jpeg' });
      }
      if (second === 'mp4') {
        const downloadName = query.download === undefined ? undefined : await playback.downloadName(uuid, 'mp4');
        return sendFile(request, reply, { path: files.file(uuid, 'index.mp4'), type: 'video/mp4', downloadName });
      }
      const form = transcriptFormats.find((each) => each === second);
      if (form) {
        const wanted = query[recordLanguageParameter];
        const lang = typeof wanted === 'string' ? wanted : undefined;
        const text = await playback.transcript(uuid, form, lang);
        const { language, translations } = playback.languages(uuid);
        const name = query.download === undefined ? undefined : await playback.downloadName(uuid, form);
        return reply
          .headers({
            'content-type': `${textTypes[form]}; charset=utf-8`,
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
            // Language of the track, and the list of others, for players.
            ...((lang ?? language) && { 'content-language': lang ?? language }),
            ...(translations.length > 0 && { link: translations.map(alternate).join(', ') }),
            ...(name !== undefined && { 'content-disposition': `attachment; filename="${name}"` }),
          })
          .send(Buffer.from(request.method === 'HEAD' ? '' : text));
      }
      const [tsid = '', extension] = second.split('.');
      const format = extension === 'ts' ? segmentFormats.mpegts : segmentFormats.fmp4;
      const file = await (extension
        ? playback.segment(uuid, { tsid, format: format.name })
        : playback.init(uuid, tsid));
      return sendFile(request, reply, { ...file, type: format.contentType });
    },
  });
}
