import { type RecordLink, recordLimits, recordLinkParameter, recordPaths, type TranscriptFormat } from '@weir/contract';
import type { Clock } from '../../../core/clock.ts';
import { WeirError } from '../../../core/errors.ts';
import { isGoodLink, signLink } from '../../../core/signed-link.ts';
import { type LoggedSegment, SegmentLog } from '../../../segments/segment-log.ts';
import { segmentPlaylist } from '../../../segments/segment-playlist.ts';
import type { TranscriptIndex } from '../../../transcript-index/transcript-index.ts';
import type { ActivePlaybacks } from './active-playbacks.ts';
import type { CurrentRows } from './current-rows.ts';
import type { RecordingCache } from './recording-cache.ts';
import type { RecordingFiles } from './recording-files.ts';
import { isFilm, type RecordingRow } from './recording-repository.ts';

interface Context {
  readonly rows: CurrentRows;
  readonly files: RecordingFiles;
  readonly films: RecordingCache;
  readonly watched: ActivePlaybacks;
  /** For links to one recording. */
  readonly linkKey: () => Promise<Uint8Array>;
  readonly words: Pick<TranscriptIndex, 'spokenIn' | 'languageOf' | 'translationsOf'>;
  readonly clock: Clock;
}

type PlayedFile = { readonly path: string } | { readonly bytes: Buffer };

/** Serves recordings: links, playlists, segments and transcripts. */
export class RecordingPlayback {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async sign(uuid: string): Promise<RecordLink> {
    await this.#context.rows.find(uuid);
    const expiresAtMs = this.#context.clock.dateMs() + recordLimits.linkMs;
    const query = await this.#linkQuery(uuid, expiresAtMs);
    return {
      query,
      expireAt: new Date(expiresAtMs).toISOString(),
      m3u8: `${recordPaths.m3u8(uuid)}?${query}`,
      mp4: `${recordPaths.mp4(uuid)}?${query}`,
      thumbnail: `${recordPaths.thumbnail(uuid)}?${query}`,
      srt: `${recordPaths.transcript(uuid, 'srt')}?${query}`,
      vtt: `${recordPaths.transcript(uuid, 'vtt')}?${query}`,
      txt: `${recordPaths.transcript(uuid, 'txt')}?${query}`,
      ...this.languages(uuid),
    };
  }

  /** Spoken language and translations. */
  languages(uuid: string): Pick<RecordLink, 'language' | 'translations'> {
    const { words } = this.#context;
    return { language: words.languageOf(uuid), translations: words.translationsOf(uuid) };
  }

  async isGoodLink(uuid: string, link: string): Promise<boolean> {
    return isGoodLink(await this.#context.linkKey(), uuid, link, this.#context.clock.dateMs());
  }

  /** Segments carry a link of their own, so that players which send headers only once can follow. */
  async playlist(uuid: string, link: string | undefined): Promise<string> {
    const row = await this.#context.rows.find(uuid);
    const segments = await this.#segments(row);
    if (segments.length === 0) throw new WeirError('not_found', 'this recording has no segment yet');
    const query =
      link === undefined
        ? await this.#linkQuery(uuid, this.#context.clock.dateMs() + recordLimits.linkMs)
        : `${recordLinkParameter}=${link}`;
    return segmentPlaylist(segments, {
      isOpen: row.state === 'recording',
      uri: (name) => `${recordPaths.segment(uuid, name)}?${query}`,
    });
  }

  /** The file of a segment, or the segment cut from the finished file. */
  async segment(uuid: string, segment: Pick<LoggedSegment, 'tsid' | 'format'>): Promise<PlayedFile> {
    const { files, films, watched } = this.#context;
    if (!isFilm(await this.#context.rows.find(uuid))) {
      watched.note(uuid);
      return { path: files.segment(uuid, segment) };
    }
    const bytes = await films.segment(uuid, segment);
    if (!bytes) throw new WeirError('not_found', 'this recording has no such segment');
    return { bytes };
  }

  /** Init section of segments, of which a recording may have several. */
  async init(uuid: string, id: string): Promise<PlayedFile> {
    const { files, films } = this.#context;
    if (!isFilm(await this.#context.rows.find(uuid))) return { path: files.init(uuid, id) };
    const { init } = await films.film(uuid);
    if (init?.id !== id) throw new WeirError('not_found', 'this recording has no such segment');
    return { bytes: init.bytes };
  }

  /** Transcript on the recording's own time, or its translation into a language. */
  async transcript(uuid: string, form: TranscriptFormat, language?: string): Promise<string> {
    await this.#context.rows.find(uuid);
    const cues = this.#context.words.spokenIn(uuid, language);
    // A player may ask before anything was said: a WebVTT file without cues is one.
    const mayBeEmpty = form === 'vtt' && !language;
    if (cues.length === 0 && !mayBeEmpty) throw new WeirError('not_found', 'this recording has no transcript');
    const { transcriptFile } = await import('../../../speech/transcript-file.ts');
    return transcriptFile(cues, form);
  }

  /** File name for saving: characters that every system allows. */
  async downloadName(uuid: string, ending: TranscriptFormat | 'mp4'): Promise<string> {
    const { app, stream, startedAtMs } = await this.#context.rows.find(uuid);
    const date = new Date(startedAtMs).toISOString().slice(0, 19).replace(/[:T]/g, '-');
    return `${`${app}-${stream}`.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 100)}-${date}.${ending}`;
  }

  async #segments(row: RecordingRow): Promise<readonly LoggedSegment[]> {
    const { files, films, watched } = this.#context;
    if (isFilm(row)) return (await films.film(row.uuid)).segments;
    watched.note(row.uuid);
    return new SegmentLog(files.file(row.uuid, 'segments.log')).read();
  }

  async #linkQuery(uuid: string, expiresAtMs: number): Promise<string> {
    return `${recordLinkParameter}=${signLink(await this.#context.linkKey(), uuid, expiresAtMs)}`;
  }
}
