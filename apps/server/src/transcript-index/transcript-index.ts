import { type TranscriptHit, type TranscriptKind, transcriptSearchLimits } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { IndexFile } from '../core/store/index-file.ts';
import type { IndexPlace } from '../core/store/index-place.ts';
import type { LoggedSegment } from '../segments/segment-log.ts';
import type { Cue } from '../speech/cue.ts';
import { foldedText, marksIn, toMatchExpression } from './folded-text.ts';

/** Position of a segment in a recording. */
interface SegmentPlace {
  readonly recording: string;
  readonly atMs: number;
}

/** Number of segments that are remembered: all of the last minute, after which every text is final, for many streams. */
const mostKnown = 10_000;

/** Recently recorded segments. */
class RecordedSegments {
  readonly #places = new Map<string, SegmentPlace | 'gone'>();

  note(segment: string, place: SegmentPlace): void {
    this.#places.delete(segment);
    this.#places.set(segment, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= mostKnown) return;
      this.#places.delete(oldest);
    }
  }

  /** `gone`: its recording was removed. Undefined: the segment is not recorded, or not yet. */
  find(segment: string): SegmentPlace | 'gone' | undefined {
    return this.#places.get(segment);
  }

  /** Marks a recording as removed, so that later texts of it are dropped. */
  forget(recording: string): void {
    for (const [segment, place] of this.#places) {
      if (place !== 'gone' && place.recording === recording) this.#places.set(segment, 'gone');
    }
  }
}

/**
 * Tables of spoken and shown text; `folded` is searched. The position in a recording becomes known early, late or
 * never.
 */
const transcriptTables = {
  version: 1,
  tables: `
  CREATE TABLE words (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    vhost TEXT NOT NULL,
    app TEXT NOT NULL,
    stream TEXT NOT NULL,
    epoch TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    lasts_ms INTEGER NOT NULL,
    date_ms INTEGER NOT NULL,
    text TEXT NOT NULL,
    language TEXT NOT NULL,
    segment TEXT NOT NULL,
    in_segment_ms INTEGER NOT NULL,
    recording TEXT,
    at_ms INTEGER,
    UNIQUE (kind, vhost, app, stream, epoch, start_ms)
  ) STRICT;
  CREATE INDEX words_recording ON words (recording, kind, at_ms) WHERE recording IS NOT NULL;
  CREATE INDEX words_segment ON words (segment);
  CREATE INDEX words_date ON words (date_ms);
  CREATE VIRTUAL TABLE folded USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0', prefix='2 3');
  CREATE TRIGGER words_deleted AFTER DELETE ON words BEGIN DELETE FROM folded WHERE rowid = old.id; END;
`,
};

/** Includes translations, which are not searched. */
type KeptKind = TranscriptKind | `translation/${string}`;

/** The final text of one segment. */
export interface SegmentTranscript extends Pick<FinishedSegment, 'vhost' | 'app' | 'stream'> {
  readonly kind: KeptKind;
  /** Id of the publisher, whose clock the times are on. */
  readonly epoch: string;
  readonly segmentId: string;
  /** Start of the segment on the clock of the stream, and as the time of day. */
  readonly startMs: number;
  readonly dateMs: number;
  /** Cues on the clock of the stream. A cue that reaches into the next segment may be stored with both and counts once. */
  readonly cues: readonly Cue[];
  readonly language: string;
}

interface Context {
  readonly place: IndexPlace;
  readonly log: Log;
  readonly clock: Pick<Clock, 'dateMs'>;
  readonly limits?: { readonly keepDays: number; readonly bytes: number };
}

interface Row {
  readonly id: number;
  readonly kind: TranscriptKind;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly date_ms: number;
  readonly lasts_ms: number;
  readonly text: string;
  readonly language: string;
  readonly recording: string | null;
  readonly at_ms: number | null;
}

/** Limit of recent segments per recording: older ones are settled. */
const mostNoted = 500;
/** The date of a recording is that of its first segment's end. */
const earlyMs = 60_000;
const removedAtOnce = 2000;
const mostRounds = 50;
const translation = 'translation/';

/** Searchable text of streams, linked to recordings where they exist. */
export class TranscriptIndex {
  readonly #file: IndexFile;
  readonly #context: Context;
  readonly #limits: NonNullable<Context['limits']>;
  readonly #recorded = new RecordedSegments();

  constructor(context: Context) {
    this.#context = context;
    this.#limits = context.limits ?? transcriptSearchLimits;
    this.#file = new IndexFile(context.place, transcriptTables, context.log);
  }

  /** Stores the text of a segment durably: it survives a kill after the return. Repeating the call changes nothing unless the text differs. */
  keep(words: SegmentTranscript): void {
    this.#orElse(undefined, () => {
      const { kind, vhost, app, stream, epoch, segmentId, startMs, dateMs, language } = words;
      const place = this.#recorded.find(segmentId);
      const cues = words.cues.filter(({ text }) => text.trim() !== '');
      if (cues.length === 0 || place === 'gone') return;
      this.#file.together(() => {
        for (const cue of cues) {
          const text = cue.text.trim().slice(0, transcriptSearchLimits.textCharacters);
          const inSegmentMs = Math.round(cue.startMs - startMs);
          const key = [kind, vhost, app, stream, epoch, Math.round(cue.startMs)] as const;
          const [known] = this.#file.all<{ id: number; text: string }>(
            'SELECT id, text FROM words WHERE (kind, vhost, app, stream, epoch, start_ms) = (?, ?, ?, ?, ?, ?)',
            ...key,
          );
          if (known?.text === text) continue;
          if (known) {
            this.#file.run('UPDATE words SET text = ? WHERE id = ?', text, known.id);
            this.#file.run('DELETE FROM folded WHERE rowid = ?', known.id);
          } else {
            this.#file.run(
              `INSERT INTO words (kind, vhost, app, stream, epoch, start_ms, lasts_ms, date_ms, text, language, segment, in_segment_ms, recording, at_ms)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
              ...key,
              ...[Math.max(0, Math.round(cue.endMs - cue.startMs)), Math.round(dateMs + inSegmentMs), text, language],
              ...[segmentId, inSegmentMs, place?.recording ?? null],
              place ? Math.max(0, place.atMs + inSegmentMs) : null,
            );
          }
          if (kind.startsWith(translation)) continue;
          const id = known?.id ?? this.#file.all<{ id: number }>('SELECT last_insert_rowid() AS id')[0]?.id ?? 0;
          this.#file.run('INSERT INTO folded (rowid, text) VALUES (?, ?)', id, foldedText(text));
        }
      });
    });
  }

  /** Links a segment to a recording. Its text may come later. */
  recorded(segment: string, recording: string, atMs: number): void {
    this.#recorded.note(segment, { recording, atMs: Math.round(atMs) });
  }

  /** Sets the segments of a recording: earlier text gets its position, text of lost segments loses it. */
  arrange(recording: string, segments: readonly LoggedSegment[]): void {
    this.#orElse(undefined, () => {
      const places = new Map<string, number>();
      let endMs = 0;
      for (const { tsid, durationMs } of segments) {
        places.set(tsid, Math.round(endMs));
        endMs += durationMs;
      }
      for (const { tsid } of segments.slice(-mostNoted)) this.recorded(tsid, recording, places.get(tsid) ?? 0);
      const sinceMs = (segments[0]?.atMs ?? 0) - earlyMs;
      const known = this.#file.all<{ segment: string }>(
        'SELECT DISTINCT segment FROM words WHERE recording = ? UNION SELECT segment FROM words WHERE recording IS NULL AND date_ms >= ?',
        ...[recording, sinceMs],
      );
      if (known.length === 0) return;
      this.#file.together(() => {
        this.#file.run('UPDATE words SET at_ms = NULL WHERE recording = ?', recording);
        for (const { segment } of known) {
          const atMs = places.get(segment);
          if (atMs === undefined) continue;
          const change = 'UPDATE words SET recording = ?, at_ms = max(0, ? + in_segment_ms) WHERE segment = ?';
          this.#file.run(change, recording, atMs, segment);
        }
      });
    });
  }

  /** All speech of a recording on its own time. `language` selects a translation. */
  spokenIn(recording: string, language?: string): Cue[] {
    return this.#orElse<Cue[]>([], () => {
      return this.#file
        .all<Row>(
          'SELECT * FROM words WHERE recording = ? AND kind = ? AND at_ms IS NOT NULL ORDER BY at_ms, id',
          ...[recording, language === undefined ? 'speech' : `${translation}${language}`],
        )
        .map(({ at_ms, lasts_ms, text }) => ({ startMs: at_ms ?? 0, endMs: (at_ms ?? 0) + lasts_ms, text }));
    });
  }

  hasSpoken(recording: string): boolean {
    return this.#orElse(false, () => {
      const found = "SELECT 1 FROM words WHERE recording = ? AND kind = 'speech' LIMIT 1";
      return this.#file.all(found, recording).length > 0;
    });
  }

  /** Most spoken language; empty if unknown. */
  languageOf(recording: string): string {
    return this.#orElse('', () => {
      const found = `SELECT language FROM words WHERE recording = ? AND kind = 'speech' AND language <> ''
        GROUP BY language ORDER BY count(*) DESC LIMIT 1`;
      return this.#file.all<{ language: string }>(found, recording)[0]?.language ?? '';
    });
  }

  /** Languages of its translations. */
  translationsOf(recording: string): string[] {
    return this.#orElse<string[]>([], () => {
      const found = 'SELECT DISTINCT kind FROM words WHERE recording = ? AND kind GLOB ? ORDER BY kind';
      const rows = this.#file.all<{ kind: string }>(found, recording, `${translation}*`);
      return rows.map(({ kind }) => kind.slice(translation.length));
    });
  }

  /** Hits, newest first. `before`: only hits older than this one. */
  search(query: string, { most, before }: { most: number; before: number }): TranscriptHit[] {
    const match = toMatchExpression(query);
    if (match === undefined) return [];
    return this.#file
      .all<Row>(
        `SELECT words.* FROM folded JOIN words ON words.id = folded.rowid
         WHERE folded MATCH ? AND folded.rowid < ? ORDER BY folded.rowid DESC LIMIT ?`,
        ...[match, before, most],
      )
      .map((row) => ({
        id: row.id,
        kind: row.kind,
        vhost: row.vhost,
        app: row.app,
        stream: row.stream,
        text: row.text,
        language: row.language,
        recording: row.recording,
        date: new Date(row.date_ms).toISOString(),
        second: row.at_ms === null ? null : row.at_ms / 1000,
        marks: marksIn(row.text, query),
      }));
  }

  /** Removes the text of a deleted recording. */
  forget(recording: string): void {
    this.#orElse(undefined, () => {
      this.#recorded.forget(recording);
      this.#file.run('DELETE FROM words WHERE recording = ?', recording);
    });
  }

  /** Removes the words of deleted recordings, because a process may be killed after a recording is deleted and before its words are. */
  keepOnly(recordings: ReadonlySet<string>): void {
    this.#orElse(undefined, () => {
      const known = this.#file.all<{ recording: string }>(
        'SELECT DISTINCT recording FROM words WHERE recording IS NOT NULL',
      );
      for (const { recording } of known) if (!recordings.has(recording)) this.forget(recording);
    });
  }

  /** Removes text beyond the limits of age and size. */
  tidy(): void {
    const oldestMs = this.#context.clock.dateMs() - this.#limits.keepDays * 86_400_000;
    this.#file.run('DELETE FROM words WHERE recording IS NULL AND date_ms < ?', oldestMs);
    for (let round = 0; round < mostRounds && this.bytes() > this.#limits.bytes; round++) {
      const oldest = 'SELECT id FROM words ORDER BY date_ms LIMIT ?';
      if (this.#file.run(`DELETE FROM words WHERE id IN (${oldest})`, removedAtOnce) === 0) break;
      this.#file.run("INSERT INTO folded (folded, rank) VALUES ('merge', -500)");
    }
  }

  count(): number {
    return this.#file.all<{ count: number }>('SELECT count(*) AS count FROM words')[0]?.count ?? 0;
  }

  /** Writes a consistent copy while work goes on; false if there is nothing to copy. */
  copyTo(file: string): Promise<boolean> {
    return this.#file.copyTo(file);
  }

  /** Used size of the file, without free pages. */
  bytes(): number {
    const [facts] = this.#file.all<{ bytes: number }>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    );
    return facts?.bytes ?? 0;
  }

  /** Logs a failure. Streams and recordings continue without their words. */
  #orElse<R>(otherwise: R, work: () => R): R {
    try {
      return work();
    } catch (error) {
      this.#context.log.error({ err: error }, 'search index failed');
      return otherwise;
    }
  }

  close(): void {
    this.#file.close();
  }
}
