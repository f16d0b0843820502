import { cloudLimits } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { segmentFormats } from '@weir/streams';
import { endedLatelyMs, RecordingSessions, type SessionClock } from '../../segments/recording-sessions.ts';
import type { SegmentConsumer } from '../../segments/segment-feed.ts';
import { initFileName, segmentFileName } from '../../segments/segment-log.ts';
import { segmentPlaylist } from '../../segments/segment-playlist.ts';
import type { RecordingSession, SessionFacts, SessionOwner } from '../../segments/session-owner.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { CloudRow, type CloudRows, playlistId } from './cloud-rows.ts';
import type { CloudSink } from './cloud-sink.ts';
import type { CloudKind, CloudSwitches } from './cloud-switches.ts';

interface Context {
  readonly kind: CloudKind;
  readonly rows: CloudRows;
  readonly queue: Pick<UploadQueue, 'add'>;
  readonly switches: CloudSwitches;
  readonly sink: CloudSink;
  readonly log: Log;
  readonly clock: SessionClock;
  readonly silenceMs?: number;
}

type Session = RecordingSession<void>;

/** Puts the segments of every stream on their way into the cloud, one recording per stream until it is silent. */
export class CloudRecorder implements SegmentConsumer, SessionOwner<void> {
  readonly name: CloudKind;
  /** Taking one is a link and a note: what waits for the cloud waits in the queue of uploads. */
  readonly most = 10_000;
  readonly #context: Context;
  readonly #sessions: RecordingSessions<void>;

  constructor(context: Context) {
    this.#context = context;
    this.name = context.kind;
    this.#sessions = new RecordingSessions(this, context.clock);
  }

  /** Takes up what was being recorded when the server last ran. Segments wait for it. */
  async resume(): Promise<void> {
    const rows = await this.#context.rows.list();
    const lateMs = this.#context.clock.dateMs() - endedLatelyMs;
    // A playlist may not have come into the queue before the process was killed.
    for (const row of rows.filter(({ state }) => state === 'finishing')) await this.#sendPlaylist(row);
    await this.#sessions.resume({
      open: rows.filter(({ state }) => state === 'recording').map((row) => ({ ...row, data: undefined })),
      ended: rows.filter(
        ({ state, updatedAtMs }) => state === 'finishing' || (state === 'done' && updatedAtMs > lateMs),
      ),
    });
  }

  isOn(): Promise<boolean> {
    return this.#context.switches.isOn(this.#context.kind);
  }

  async take(segment: FinishedSegment): Promise<void> {
    if (await this.isOn()) await this.#sessions.take(segment);
  }

  miss(segment: FinishedSegment): void {
    const session = this.#sessions.of(segment);
    if (session) void this.#addLost(session);
  }

  /** Ends what has been silent for too long, whether or not it is switched on. */
  endSilent(): Promise<void> {
    return this.#sessions.endSilent(this.#context.silenceMs ?? cloudLimits.silenceMs);
  }

  logFile(uuid: string): string {
    return this.#context.rows.logFile(uuid);
  }

  wants(): Promise<boolean> {
    return this.#context.sink.isReady();
  }

  async begin({ uuid, vhost, app, stream, startedAtMs }: SessionFacts): Promise<void> {
    const { rows, sink, log } = this.#context;
    const place = await sink.begin(uuid);
    await rows.put(CloudRow.parse({ uuid, vhost, app, stream, startedAtMs, updatedAtMs: startedAtMs, ...place }));
    log.info({ uuid, app, stream }, 'cloud recording started');
  }

  /** In the queue before it is in the log: of a crash between the two it is offered, and taken, again. */
  async keep(session: Session, { id, format, file, init }: FinishedSegment): Promise<number | undefined> {
    const { kind, queue } = this.#context;
    const { uuid, last } = session;
    const { contentType: type } = segmentFormats[format];
    const lane = { owner: kind, lane: uuid, type };
    if (init && init.id !== last?.init) {
      const name = initFileName(init.id);
      await queue.add({ ...lane, id: `${uuid}-${name}`, key: `${uuid}/${name}`, source: { link: init.file } });
    }
    const key = `${uuid}/${segmentFileName({ tsid: id, format })}`;
    const bytes = await queue.add({ ...lane, id, key, source: { link: file } });
    if (bytes === undefined) await this.#addLost(session);
    return bytes;
  }

  async kept({ uuid, totals }: Session): Promise<void> {
    await this.#context.rows
      .change(uuid, () => totalsIn(totals))
      .catch((error: unknown) => {
        // Made up for by the next one: the log is the truth.
        this.#context.log.warn({ uuid, err: error }, 'segment of a cloud recording could not be counted');
      });
  }

  async end({ uuid, totals }: Session): Promise<void> {
    const { rows } = this.#context;
    await this.#sendPlaylist(await rows.change(uuid, () => ({ ...totalsIn(totals), state: 'finishing' })));
  }

  discard(uuid: string): Promise<void> {
    return this.#context.rows.delete(uuid);
  }

  async #addLost({ uuid }: Session): Promise<void> {
    const { rows, log } = this.#context;
    await rows
      .change(uuid, ({ lost }) => ({ lost: lost + 1 }))
      .catch((error: unknown) => log.warn({ err: error }, 'lost segment could not be counted'));
  }

  /** Last in its lane: when it arrives, everything it names is there. */
  async #sendPlaylist(row: CloudRow): Promise<void> {
    const { kind, queue, rows } = this.#context;
    const { uuid } = row;
    const text = segmentPlaylist(await rows.segmentsOf(row), { isOpen: false, uri: (name) => name });
    const request = { owner: kind, id: playlistId(uuid), lane: uuid, key: `${uuid}/index.m3u8` };
    await queue.add({ ...request, type: 'application/vnd.apple.mpegurl', source: { text } });
  }
}

function totalsIn({ segments, durationMs, bytes }: Session['totals']) {
  return { segments, durationMs, bytes };
}
