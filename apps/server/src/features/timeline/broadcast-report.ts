import type { ActiveStream, Broadcast, BroadcastReport, StreamSamples, TimelineEntry } from '@weir/contract';
import type { Config } from '@weir/plane';
import { streamSampleFields, type WirePlace } from '@weir/streams';
import { type Clock, isoNow } from '../../core/clock.ts';
import { sampleTable } from '../../core/sample-table.ts';
import type { Feature } from '../../feature.ts';
import type { Redaction } from '../../timeline-store/redaction.ts';

export interface ReportContext {
  readonly config: Pick<Config, 'version' | 'srs' | 'store'>;
  readonly clock: Clock;
  readonly streams: { find(place: WirePlace): Promise<ActiveStream | undefined> };
  readonly measurements: {
    judge(live: ActiveStream): Promise<Pick<BroadcastReport, 'diagnosis' | 'seconds'>>;
    minutesOf(place: WirePlace, sinceMs: number): Promise<StreamSamples>;
  };
  /** Features with settings that may appear in reports, by name. */
  readonly reporters: () => Readonly<Record<string, Feature>>;
  readonly server: () => Promise<Readonly<Record<string, unknown>>>;
}

const mostCharacters = 500;
const minuteMs = 60_000;

/** Report of a broadcast for a stranger who helps. Redacted as a whole, whatever its parts did. */
export async function broadcastReport(
  context: ReportContext,
  { broadcast, entries }: { readonly broadcast: Broadcast; readonly entries: readonly TimelineEntry[] },
  redaction: Redaction,
): Promise<BroadcastReport> {
  const { config, clock, streams, measurements } = context;
  const live = broadcast.endedAt === '' ? await streams.find(broadcast).catch(() => undefined) : undefined;
  const now = live && (await measurements.judge(live).catch(() => undefined));
  const fromMs = Date.parse(broadcast.beganAt) - minuteMs;
  const untilMs = broadcast.endedAt === '' ? Number.POSITIVE_INFINITY : Date.parse(broadcast.endedAt);
  const report: BroadcastReport = {
    format: 1,
    madeAt: isoNow(clock),
    versions: {
      weir: config.version,
      node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
      engine: config.srs ? 'srs' : 'built-in',
      store: config.store.kind,
    },
    broadcast,
    timeline: entries.map(withoutAddress),
    diagnosis: now?.diagnosis ?? { verdict: 'none', issues: [] },
    seconds: now?.seconds ?? sampleTable(undefined, streamSampleFields),
    minutes: until(await measurements.minutesOf(broadcast, fromMs), untilMs),
    settings: await settingsOf(context.reporters()),
    server: await told(context.server()),
  };
  return redaction.value(report, mostCharacters) as BroadcastReport;
}

/** The publisher's address is private. */
function withoutAddress({ facts: { address: _address, ...facts }, ...entry }: TimelineEntry): TimelineEntry {
  return { ...entry, facts };
}

function until({ at, columns }: StreamSamples, untilMs: number): StreamSamples {
  const count = at.filter((atMs) => atMs <= untilMs).length;
  const cut = Object.entries(columns).map(([field, values]) => [field, values.slice(0, count)]);
  return { at: at.slice(0, count), columns: Object.fromEntries(cut) as StreamSamples['columns'] };
}

/** A store that does not answer is a reason to write the rest. */
function told(part: Promise<Readonly<Record<string, unknown>>>): Promise<Record<string, unknown>> {
  return part.catch(() => ({ isUnknown: true }));
}

async function settingsOf(reporters: Readonly<Record<string, Feature>>): Promise<Record<string, unknown>> {
  const parts = Object.entries(reporters).map(async ([name, { reported }]) => {
    return reported ? [[name, await told(reported())] as const] : [];
  });
  return Object.fromEntries((await Promise.all(parts)).flat());
}
