import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { placeText } from '@weir/streams';
import type { Clock } from '../core/clock.ts';
import { Mutex } from '../core/mutex.ts';
import { RecentIds } from './recent-ids.ts';
import { addTo, isSeam, type LoggedSegment, SegmentLog, sumSegments, type Totals } from './segment-log.ts';
import type { EndReason, RecordingSession, SessionFacts, SessionOwner } from './session-owner.ts';

export type SessionClock = Pick<Clock, 'dateMs' | 'elapsedMs'>;

interface OpenSession<Data> extends RecordingSession<Data> {
  readonly log: SegmentLog;
  totals: Totals;
  last: LoggedSegment | undefined;
  /** Unknown for a resumed session, where the engine marks seams. */
  lastClientId: string;
  /** On the clock that cannot be set. */
  heardAtMs: number;
}

interface Resumed<Data> {
  readonly open: readonly (SessionFacts & { readonly data: Data })[];
  /** Sessions that ended since `endedLatelyMs` ago: their last segments may be offered again. */
  readonly ended: readonly { readonly uuid: string }[];
}

/** Segments wait in the spool for a quarter of this at most. */
export const endedLatelyMs = 3600_000;
/** Ids that are remembered: a segment may be offered again after a restart. */
const mostKnown = 5000;
const knownOfOpen = 500;
const knownOfEnded = 100;

/** Stream or lower quality of it, as a key. */
export function sessionKey({
  quality,
  ...place
}: Pick<FinishedSegment, 'vhost' | 'app' | 'stream' | 'quality'>): string {
  // No name has a line break.
  return quality ? `${placeText(place)}\n${quality}` : placeText(place);
}

/**
 * Recording session of each stream, from its first segment until silence or end. Each has a log that survives the
 * process.
 */
export class RecordingSessions<Data> {
  readonly #owner: SessionOwner<Data>;
  readonly #clock: SessionClock;
  readonly #open = new Map<string, OpenSession<Data>>();
  /** Serialises operations on one stream's session. */
  readonly #turns = new Mutex();
  readonly #known = new RecentIds(mostKnown);
  readonly #resumed = Promise.withResolvers<void>();

  constructor(owner: SessionOwner<Data>, clock: SessionClock) {
    this.#owner = owner;
    this.#clock = clock;
  }

  /** Takes up what was open when the server last ran; segments wait for it. May be tried again when it failed. */
  async resume({ open, ended }: Resumed<Data>): Promise<void> {
    for (const { uuid } of ended) this.#remember(await this.#logOf(uuid).read(), knownOfEnded);
    for (const { uuid, vhost, app, stream, quality, startedAtMs, data } of open) {
      const log = this.#logOf(uuid);
      const segments = await log.repair();
      this.#remember(segments, knownOfOpen);
      const last = segments.at(-1);
      const silentMs = Math.max(0, this.#clock.dateMs() - (last?.atMs ?? startedAtMs));
      const session: OpenSession<Data> = {
        uuid,
        vhost,
        app,
        stream,
        quality,
        startedAtMs,
        data,
        log,
        last,
        lastClientId: '',
        totals: sumSegments(segments),
        heardAtMs: this.#clock.elapsedMs() - silentMs,
      };
      this.#open.set(sessionKey(session), session);
      await this.#owner.resumed?.(session, segments);
    }
    this.#resumed.resolve();
  }

  get open(): readonly RecordingSession<Data>[] {
    return [...this.#open.values()];
  }

  find(uuid: string): RecordingSession<Data> | undefined {
    return this.open.find((session) => session.uuid === uuid);
  }

  of(place: Pick<FinishedSegment, 'vhost' | 'app' | 'stream' | 'quality'>): RecordingSession<Data> | undefined {
    return this.#open.get(sessionKey(place));
  }

  /** A segment that was taken before is taken no second time. */
  async take(segment: FinishedSegment): Promise<void> {
    await this.#turns.take(async () => {
      await this.#resumed.promise;
      if (this.#known.has(segment.id) || !(await this.#owner.wants(segment))) return;
      const found = await this.#record(segment).catch(async (error: unknown) => {
        await this.#owner.failed?.(segment, error);
        throw error;
      });
      if (found) await this.#owner.kept(found.session, found.entry, segment);
    }, sessionKey(segment));
  }

  /** False when it is not open. The stream's next segment begins another. */
  async end(uuid: string, reason: EndReason): Promise<boolean> {
    const session = this.find(uuid);
    return session !== undefined && this.#endInTurn(session, reason, () => true);
  }

  /** Ends what has been silent for this long. */
  async endSilent(limitMs: number): Promise<void> {
    const isSilent = ({ heardAtMs }: OpenSession<Data>) => this.#clock.elapsedMs() - heardAtMs >= limitMs;
    for (const session of [...this.#open.values()].filter(isSilent)) await this.#endInTurn(session, 'silent', isSilent);
  }

  /** Undefined when its owner did not take it. */
  async #record(segment: FinishedSegment): Promise<{ session: OpenSession<Data>; entry: LoggedSegment } | undefined> {
    const session = this.#open.get(sessionKey(segment)) ?? (await this.#begin(segment));
    const { last, lastClientId, log } = session;
    session.heardAtMs = this.#clock.elapsedMs();
    const bytes = await this.#owner.keep(session, segment);
    if (bytes === undefined) return undefined;
    const { id: tsid, format, sequence, durationMs } = segment;
    const init = segment.init?.id ?? '';
    const isDiscontinuity = last !== undefined && isSeam(last, lastClientId, segment);
    const entry = { tsid, format, init, sequence, durationMs, bytes, isDiscontinuity, atMs: this.#clock.dateMs() };
    await log.append(entry).catch(async (error: unknown) => {
      await this.#owner.drop?.(session, segment);
      throw error;
    });
    this.#known.add(tsid);
    session.last = entry;
    session.lastClientId = segment.clientId;
    session.totals = addTo(session.totals, entry);
    return { session, entry };
  }

  async #begin({ vhost, app, stream, quality, durationMs }: FinishedSegment): Promise<OpenSession<Data>> {
    // The beginning of the first segment: time since then is the length of the recording, while it runs and after its end.
    const startedAtMs = this.#clock.dateMs() - durationMs;
    const facts: SessionFacts = { uuid: randomUUID(), vhost, app, stream, quality, startedAtMs };
    const { uuid } = facts;
    const log = this.#logOf(uuid);
    try {
      await mkdir(dirname(this.#owner.logFile(uuid)), { recursive: true, mode: 0o700 });
      await log.begin({ vhost, app, stream, quality, startedAtMs });
      const data = await this.#owner.begin(facts);
      const session: OpenSession<Data> = {
        ...facts,
        data,
        log,
        last: undefined,
        lastClientId: '',
        totals: sumSegments([]),
        heardAtMs: this.#clock.elapsedMs(),
      };
      this.#open.set(sessionKey(facts), session);
      return session;
    } catch (error) {
      await this.#owner.discard(uuid).catch(() => undefined);
      throw error;
    }
  }

  #endInTurn(
    session: RecordingSession<Data>,
    reason: EndReason,
    isStillDue: (session: OpenSession<Data>) => boolean,
  ): Promise<boolean> {
    const key = sessionKey(session);
    return this.#turns.take(async () => {
      // The session may have ended or continued while this waited.
      const current = this.#open.get(key);
      if (current?.uuid !== session.uuid || !isStillDue(current)) return false;
      await (current.totals.segments === 0 ? this.#owner.discard(current.uuid) : this.#owner.end(current));
      this.#open.delete(key);
      this.#owner.ended?.(current, reason);
      return true;
    }, key);
  }

  #logOf(uuid: string): SegmentLog {
    return new SegmentLog(this.#owner.logFile(uuid));
  }

  #remember(segments: readonly LoggedSegment[], most: number): void {
    for (const { tsid } of segments.slice(-most)) this.#known.add(tsid);
  }
}
