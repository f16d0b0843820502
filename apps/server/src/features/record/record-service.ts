import {
  postProcessCopy,
  RecordGlobs,
  type Recording,
  type RecordLink,
  type RecordSettings,
  type RecordStorageRule,
  recordLimits,
  recordLinkParameter,
  recordPaths,
  switchStreamRecording,
  type TranscriptFormat,
} from '@weir/contract';
import type { SegmentFormatName } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { isGoodLink, signLink } from '../../core/signed-link.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import { type LoggedSegment, SegmentLog } from '../../segments/segment-log.ts';
import { segmentPlaylist } from '../../segments/segment-playlist.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';
import type { RecordingArchive } from './bucket/recording-archive.ts';
import type { Finisher } from './finish/finisher.ts';
import type { RecordingCache } from './library/recording-cache.ts';
import { isUuid, type RecordingFiles } from './library/recording-files.ts';
import {
  isFilm,
  isOver,
  type RecordingRepository,
  type RecordingRow,
  toRecording,
  totalBytes,
} from './library/recording-repository.ts';
import type { Watched } from './library/watched.ts';
import type { RecordSettingsRepository } from './record-settings.ts';
import type { Recorder } from './recorder/recorder.ts';
import type { StorageGovernor } from './storage/storage-governor.ts';
import type { Stored } from './storage/storage-plan.ts';

interface Context {
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly settings: RecordSettingsRepository;
  readonly recordings: RecordingRepository;
  readonly files: RecordingFiles;
  readonly films: RecordingCache;
  readonly watched: Watched;
  readonly recorder: Recorder;
  readonly finisher: Finisher;
  readonly governor: StorageGovernor;
  /** Throws when a typed directory may not be used. */
  readonly copyDirectory: (typed: string) => Promise<string>;
  readonly linkKey: () => Promise<Uint8Array>;
  readonly archive: RecordingArchive;
  readonly words: Pick<TranscriptIndex, 'spokenIn' | 'hasSpoken' | 'languageOf' | 'translationsOf' | 'forget'>;
  readonly clock: Clock;
}

type PlayedFile = { readonly path: string } | { readonly bytes: Buffer };

/** Administration of recordings. */
export class RecordService {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async query(): Promise<RecordSettings> {
    const { settings, files, governor } = this.#context;
    const stored = await settings.read();
    return { ...stored, home: files.home, storage: await governor.report() };
  }

  async apply(all: boolean): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    const { all: wasOn } = await settings.read();
    await settings.change({ all });
    if (all !== wasOn) recorder.switched();
    await segments.changed();
  }

  async setGlobs(globs: string[]): Promise<void> {
    await this.#context.settings.change({ globs });
  }

  /** Adds or removes the stream's own name; a recording of it in progress ends at once. */
  async switchStream(place: { app: string; stream: string }, isOn: boolean): Promise<void> {
    const { settings, recorder, segments } = this.#context;
    const { all: wasOn } = await settings.read();
    const { all } = await settings.change((current) => {
      const next = switchStreamRecording(current, place, isOn);
      if (!next) throw new WeirError('invalid_input', 'another rule records this stream: change the rules');
      const globs = RecordGlobs.safeParse([...next.globs]);
      if (!globs.success) throw new WeirError('invalid_input', 'there are too many rules: remove some first');
      return { all: next.all, globs: globs.data };
    });
    if (all !== wasOn) recorder.switched();
    await segments.changed();
    if (!isOn) await recorder.endStream(place);
  }

  async setPostProcessing(kind: string, directory: string): Promise<void> {
    if (kind !== postProcessCopy) throw new WeirError('invalid_input', `postProcess: must be ${postProcessCopy}`);
    if (directory !== '') await this.#context.copyDirectory(directory);
    await this.#context.settings.change({ processCpDir: directory });
  }

  async setSubtitles(subtitles: boolean): Promise<void> {
    await this.#context.settings.change({ subtitles });
  }

  /** For recordings that begin from now on. */
  async setSegmentFormat(segmentFormat: SegmentFormatName): Promise<void> {
    await this.#context.settings.change({ segmentFormat });
    await this.#context.segments.changed();
  }

  async setStorage(rule: RecordStorageRule): Promise<void> {
    const { settings, governor, finisher } = this.#context;
    await settings.change({ rule });
    governor.wake();
    await governor.check();
    finisher.wake();
  }

  async list(): Promise<Recording[]> {
    const { finisher, archive, words } = this.#context;
    const uploads = await archive.uploads();
    const rows = (await this.rows()).sort((a, b) => b.updatedAtMs - a.updatedAtMs);
    return rows.map((row) =>
      toRecording(row, {
        percent: finisher.percent(row.uuid),
        upload: uploads.get(row.uuid) ?? null,
        transcript: words.hasSpoken(row.uuid),
      }),
    );
  }

  end(uuid: string): Promise<void> {
    return this.#context.recorder.end(uuid);
  }

  async retry(uuid: string): Promise<void> {
    await this.#row(uuid);
    await this.#context.finisher.retry(uuid);
  }

  async remove(uuid: string): Promise<void> {
    const row = await this.#row(uuid);
    if (row.state === 'recording') throw new WeirError('invalid_input', 'this recording is in progress, end it first');
    // A finished recording may still be removing its segments, which is quick and no reason to refuse.
    if (isOver(row)) await this.#context.finisher.letGo(uuid);
    if (this.#context.finisher.isWorkingOn(uuid))
      throw new WeirError('invalid_input', 'this recording is being finished, try again later');
    await this.delete(uuid);
    this.#context.governor.wake();
  }

  /** Files first: of a crash between the two a row without files remains, which can be removed again. */
  async delete(uuid: string): Promise<void> {
    await this.#context.files.remove(uuid);
    await this.#context.recordings.delete(uuid);
    await this.#context.archive.forget(uuid);
    this.#context.words.forget(uuid);
  }

  async sign(uuid: string): Promise<RecordLink> {
    await this.#row(uuid);
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
    const row = await this.#row(uuid);
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

  /** The file of a segment, or the segment made again of the finished file. */
  async segment(uuid: string, segment: Pick<LoggedSegment, 'tsid' | 'format'>): Promise<PlayedFile> {
    const { files, films, watched } = this.#context;
    if (!isFilm(await this.#row(uuid))) {
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
    if (!isFilm(await this.#row(uuid))) return { path: files.init(uuid, id) };
    const { init } = await films.film(uuid);
    if (init?.id !== id) throw new WeirError('not_found', 'this recording has no such segment');
    return { bytes: init.bytes };
  }

  /** Transcript on the recording's own time, or its translation into a language. */
  async transcript(uuid: string, form: TranscriptFormat, language?: string): Promise<string> {
    await this.#row(uuid);
    const cues = this.#context.words.spokenIn(uuid, language);
    // A player may ask before anything was said: a WebVTT file without cues is one.
    const mayBeEmpty = form === 'vtt' && !language;
    if (cues.length === 0 && !mayBeEmpty) throw new WeirError('not_found', 'this recording has no transcript');
    const { transcriptFile } = await import('../../speech/transcript-file.ts');
    return transcriptFile(cues, form);
  }

  /** File name for saving: characters that every system allows. */
  async downloadName(uuid: string, ending: TranscriptFormat | 'mp4'): Promise<string> {
    const { app, stream, startedAtMs } = await this.#row(uuid);
    const date = new Date(startedAtMs).toISOString().slice(0, 19).replace(/[:T]/g, '-');
    return `${`${app}-${stream}`.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 100)}-${date}.${ending}`;
  }

  async rows(): Promise<RecordingRow[]> {
    const { recordings, recorder } = this.#context;
    return (await recordings.list()).map((row) => recorder.running(row.uuid) ?? row);
  }

  /** Recordings not yet in the bucket are kept: removing them would lose both copies. */
  async stored(): Promise<Stored[]> {
    const uploads = await this.#context.archive.uploads();
    const isOnItsWay = (uuid: string) => ['waiting', 'uploading'].includes(uploads.get(uuid)?.state ?? '');
    return (await this.rows()).map((row) => ({
      uuid: row.uuid,
      startedAtMs: row.startedAtMs,
      endedAtMs: row.endedAtMs,
      totalBytes: totalBytes(row),
      isOver: (isOver(row) || this.#waitsForRoom(row)) && !isOnItsWay(row.uuid),
    }));
  }

  async #segments(row: RecordingRow): Promise<readonly LoggedSegment[]> {
    const { files, films, watched } = this.#context;
    if (isFilm(row)) return (await films.film(row.uuid)).segments;
    watched.note(row.uuid);
    return new SegmentLog(files.file(row.uuid, 'segments.log')).read();
  }

  /**
   * A finished recording that lacks space for its file may itself be removed as the oldest, or no space would ever be
   * freed.
   */
  #waitsForRoom({ uuid, state, failure }: RecordingRow): boolean {
    return state === 'finishing' && failure === 'no-space' && !this.#context.finisher.isWorkingOn(uuid);
  }

  async #linkQuery(uuid: string, expiresAtMs: number): Promise<string> {
    return `${recordLinkParameter}=${signLink(await this.#context.linkKey(), uuid, expiresAtMs)}`;
  }

  async #row(uuid: string): Promise<RecordingRow> {
    const { recordings, recorder } = this.#context;
    const row = isUuid(uuid) ? (recorder.running(uuid) ?? (await recordings.get(uuid))) : undefined;
    if (!row) throw new WeirError('not_found', 'there is no recording with this id');
    return row;
  }
}
