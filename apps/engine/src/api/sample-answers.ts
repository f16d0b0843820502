import { readdirSync, readFileSync } from 'node:fs';
import { type SampleTable, samplePaths, sampleSpans } from '@weir/streams';
import type { ClientEntry } from '../hub/clients/clients.ts';
import type { Hub } from '../hub/hub.ts';
import type { Sampler } from '../hub/samples/sampler.ts';
import type { StreamMeasure } from '../hub/samples/stream-measure.ts';
import type { Query } from './private-api.ts';
import { kbps, wholeMs } from './srs-streams.ts';

/** Listed viewers of one stream; the others are only counted. */
const mostViewers = 500;

/** Samples for the control plane. Streams are named by place, because the caller has no keys. */
export function sampleAnswers(hub: Hub, sampler: Sampler): Readonly<Record<string, Query>> {
  return {
    [samplePaths.now]: () => {
      sampler.ask();
      const streams = measured(sampler.measures(), ({ series }) => series.seconds(series.newestAt - 1, 1));
      return { server: sampler.latest(), streams };
    },
    [samplePaths.recent]: (query) => {
      sampler.ask();
      const sinceMs = momentOf(query);
      const live = [...sampler.measures()].filter(({ stream }) => stream.isLive).slice(0, sampleSpans.recentStreams);
      const streams = measured(live, ({ series }) => series.seconds(sinceMs, sampleSpans.recentPage));
      return { server: sampler.latest(), streams };
    },
    [samplePaths.minutes]: (query) => {
      sampler.glance();
      const sinceMs = momentOf(query);
      const streams = measured(sampler.measures(), ({ series }) => series.minutes(sinceMs, sampleSpans.page));
      return { server: sampler.server.minutes(sinceMs, sampleSpans.page), streams };
    },
    [samplePaths.server]: () => {
      sampler.ask();
      return { seconds: sampler.server.seconds(0), openFiles: openFiles() };
    },
    [samplePaths.stream]: (query) => {
      sampler.ask();
      const key = query.get('key') ?? '';
      const series = sampler.find(key)?.series;
      if (!series) return undefined;
      const viewers = [...hub.clients.all()].filter((entry) => entry.key === key && isShown(entry));
      return {
        seconds: series.seconds(0),
        viewers: viewers.slice(0, mostViewers).map(viewerFacts),
      };
    },
  };
}

function measured(measures: Iterable<StreamMeasure>, read: (measure: StreamMeasure) => SampleTable) {
  return [...measures].flatMap((measure) => {
    const samples = read(measure);
    const { vhost, app, name } = measure.stream.place;
    return samples.at.length === 0 ? [] : [{ vhost, app, stream: name, isLive: measure.stream.isLive, samples }];
  });
}

function isShown({ info }: ClientEntry): boolean {
  return info.kind.endsWith('-play') && !info.isOwn && !info.isPreview;
}

function viewerFacts(entry: ClientEntry) {
  const { info, counters, history, transport } = entry;
  const { bytesIn, bytesOut, droppedFrames } = counters;
  return {
    id: info.id,
    protocol: info.kind.replace('-play', ''),
    address: info.address,
    since: info.connectedAt.toISOString(),
    bytes: bytesOut,
    kbps: kbps(history.perSecond(5000, Date.now(), bytesIn, bytesOut).out),
    droppedFrames,
    rttMs: transport?.()?.rttMs ?? null,
    behindMs: wholeMs(entry.lag?.()),
    isSlow: entry.isSlow,
  };
}

function momentOf(query: URLSearchParams): number {
  const text = query.get('since') ?? '';
  return /^\d{1,16}$/.test(text) ? Number(text) : 0;
}

/** Descriptors that this process has and may have; undefined on systems that do not tell. */
function openFiles(): { used: number; most: number } | undefined {
  try {
    const most = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return Number.isNaN(most) ? undefined : { used: readdirSync('/proc/self/fd').length, most };
  } catch {
    return undefined;
  }
}
