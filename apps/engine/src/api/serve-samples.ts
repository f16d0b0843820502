import { readdirSync, readFileSync } from 'node:fs';
import { engineApi, mostListedViewers } from '@weir/engine-api';
import { type PlayProtocol, type SampleTable, sampleSpans } from '@weir/streams';
import { countsAsViewer } from '../hub/clients/client-info.ts';
import type { ClientEntry } from '../hub/clients/clients.ts';
import type { Hub } from '../hub/hub.ts';
import { isInputPlace } from '../hub/program/input-place.ts';
import type { Sampler } from '../hub/samples/sampler.ts';
import type { StreamMeasure } from '../hub/samples/stream-measure.ts';
import type { PrivateApi } from './private-api.ts';
import { kbps, wholeMs } from './srs-streams.ts';

/** Serves samples to the control plane. */
export function serveSamples(api: Pick<PrivateApi, 'serve'>, hub: Hub, sampler: Sampler): void {
  api.serve(engineApi.samples.now, () => {
    sampler.extend();
    const streams = measured(sampler.measures(), ({ series }) => series.seconds(series.newestAt - 1, 1));
    return { server: sampler.latest(), streams };
  });
  api.serve(engineApi.samples.recent, ({ since }) => {
    sampler.extend();
    const live = [...sampler.measures()].filter(({ stream }) => stream.isLive).slice(0, sampleSpans.recentStreams);
    const streams = measured(live, ({ series }) => series.seconds(since, sampleSpans.recentPage));
    return { server: sampler.latest(), streams };
  });
  api.serve(engineApi.samples.minutes, ({ since }) => {
    sampler.glance();
    const streams = measured(sampler.measures(), ({ series }) => series.minutes(since, sampleSpans.page));
    return { server: sampler.server.minutes(since, sampleSpans.page), streams };
  });
  api.serve(engineApi.samples.server, () => {
    sampler.extend();
    return { seconds: sampler.server.seconds(0), openFiles: openFiles() };
  });
  api.serve(engineApi.samples.stream, ({ key }) => {
    sampler.extend();
    const series = sampler.find(key)?.series;
    if (!series) return undefined;
    const viewers = [...hub.clients.all()].filter((entry) => entry.key === key && countsAsViewer(entry.info));
    return { seconds: series.seconds(0), viewers: viewers.slice(0, mostListedViewers).map(viewerFacts) };
  });
}

function measured(measures: Iterable<StreamMeasure>, read: (measure: StreamMeasure) => SampleTable) {
  return [...measures].flatMap((measure) => {
    if (isInputPlace(measure.stream.place)) return [];
    const samples = read(measure);
    const { vhost, app, name } = measure.stream.place;
    return samples.at.length === 0 ? [] : [{ vhost, app, stream: name, isLive: measure.stream.isLive, samples }];
  });
}

function viewerFacts(entry: ClientEntry) {
  const { info, counters, history, transport } = entry;
  const { bytesIn, bytesOut, droppedFrames } = counters;
  return {
    id: info.id,
    protocol: info.kind.replace('-play', '') as PlayProtocol,
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

/** Descriptors that this process has and may have; undefined on systems that do not tell. */
function openFiles(): { used: number; most: number } | undefined {
  try {
    const most = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return Number.isNaN(most) ? undefined : { used: readdirSync('/proc/self/fd').length, most };
  } catch {
    return undefined;
  }
}
