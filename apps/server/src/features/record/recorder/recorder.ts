import { recordLimits } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';
import { placeText, segmentFormatNames, type WirePlace } from '@weir/streams';
import { WeirError } from '../../../core/errors.ts';
import { sessionKey } from '../../../segments/recording-sessions.ts';
import type { SegmentConsumer } from '../../../segments/segment-feed.ts';
import type { RecordingRow } from '../library/recording-repository.ts';
import { type RecordingContext, RunningRecordings } from './running-recordings.ts';

/** Puts segments into recordings: one per stream and chosen quality, from its first segment until it is silent, ended or switched off. */
export class Recorder implements SegmentConsumer {
  readonly name = 'record';
  /** Large, because waiting segments are only entries of a list, and no announced segment may be missed after a restart. */
  readonly most = 10_000;
  readonly #settings: RecordingContext['settings'];
  readonly #recordings: RunningRecordings;

  constructor(context: RecordingContext) {
    this.#settings = context.settings;
    this.#recordings = new RunningRecordings(context);
  }

  /** Continues the recordings that were running when the server stopped. Segments wait until then. */
  resume(rows: readonly RecordingRow[]): Promise<void> {
    return this.#recordings.resume(rows);
  }

  get isBusy(): boolean {
    return this.#sessions.open.length > 0;
  }

  isRecording(place: WirePlace): boolean {
    return this.#of(place).length > 0;
  }

  /** Current state of a running recording, which the store gets a little later. */
  running(uuid: string): RecordingRow | undefined {
    return this.#sessions.find(uuid)?.data.row;
  }

  /** Running recordings. */
  rows(): readonly RecordingRow[] {
    return this.#sessions.open.map(({ data }) => data.row);
  }

  /** Notes that a recording has a thumbnail. Returns false if it is no longer running. */
  notePicture(uuid: string): boolean {
    return this.#recordings.notePicture(uuid);
  }

  /** Called when recording was switched on or off. */
  switched(): void {
    this.#recordings.switched();
  }

  readonly formats = { known: segmentFormatNames, wanted: () => this.#recordings.formats() };

  readonly qualities = () => this.#recordings.qualities();

  async isOn(): Promise<boolean> {
    return (await this.#settings.read()).all;
  }

  take(segment: FinishedSegment): Promise<void> {
    return this.#sessions.take(segment);
  }

  miss(segment: FinishedSegment, error: unknown): void {
    this.#recordings.missed(segment, error);
  }

  /** The last segments arrive after the publisher has left. */
  publisherLeft(place: Pick<FinishedSegment, 'vhost' | 'app' | 'stream'>): void {
    for (const session of this.#of(place)) this.#recordings.lastSegments.expect(sessionKey(session));
  }

  /** Ends a recording on request. A segment that is already announced belongs to it; a later one begins the next recording. */
  async end(uuid: string): Promise<void> {
    const session = this.#sessions.find(uuid);
    if (!session) throw new WeirError('not_found', 'this recording is not in progress');
    await this.#recordings.lastSegments.arrival(sessionKey(session));
    await this.#sessions.end(uuid, 'asked');
  }

  /** Its name was removed from the rules. Patterns don't know vhosts, so it ends in all of them. */
  async endStream({ app, stream }: Pick<FinishedSegment, 'app' | 'stream'>): Promise<void> {
    for (const session of this.#sessions.open) {
      if (session.app === app && session.stream === stream) await this.#sessions.end(session.uuid, 'asked');
    }
  }

  /** Recordings in qualities that are not chosen. */
  async endUnchosen(): Promise<void> {
    for (const session of this.#sessions.open) {
      if (!(await this.#recordings.isChosen(session))) await this.#sessions.end(session.uuid, 'asked');
    }
  }

  /** Because there is no room: what comes from now on is missing in them. */
  async endAll(): Promise<void> {
    for (const { uuid } of this.#sessions.open) await this.#sessions.end(uuid, 'stopped');
  }

  /** Ends what has been silent for too long. */
  async endSilent(): Promise<void> {
    const { all } = await this.#settings.read();
    await this.#sessions.endSilent(all ? recordLimits.silenceMs : recordLimits.silenceWhenOffMs);
  }

  /** Brings everything of the recordings that run to the disk. */
  syncAll(): Promise<void> {
    return this.#recordings.sync();
  }

  /** Brings the store up to the logs. */
  saveAll(): Promise<void> {
    return this.#recordings.save();
  }

  /** The recordings of a stream: one for each quality that is recorded. */
  #of(place: Pick<FinishedSegment, 'vhost' | 'app' | 'stream'>) {
    const key = placeText(place);
    return this.#sessions.open.filter((session) => placeText(session) === key);
  }

  get #sessions(): RunningRecordings['sessions'] {
    return this.#recordings.sessions;
  }
}
