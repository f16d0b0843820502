import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@weir/plane';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import { uploadAlert } from '../../uploads/upload-alert.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import { CloudLibrary } from './cloud-library.ts';
import { CloudRecorder } from './cloud-recorder.ts';
import { CloudRows } from './cloud-rows.ts';
import { CloudService } from './cloud-service.ts';
import { type CloudKind, CloudSwitches } from './cloud-switches.ts';
import { dvrSink } from './dvr-sink.ts';
import { TencentAccount } from './tencent-account.ts';
import { TencentClient, type TencentPlaces, tencentPlaces } from './tencent-api.ts';
import { vodSink } from './vod-sink.ts';

interface Context {
  readonly dataDir: string;
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly segments: Pick<SegmentFeed, 'add'>;
  readonly uploads: UploadQueue;
  readonly log: Log;
  /** Tests have a cloud of their own, and less patience. */
  readonly places?: TencentPlaces;
  readonly silenceMs?: number;
}

const lookMs = 5000;

export function createCloud(context: Context) {
  const { dataDir, store, outgoing, segments, uploads, log: parent, places = tencentPlaces } = context;
  const log = parent.child({ feature: 'cloud' });
  const api = new TencentClient(outgoing, places);
  const account = new TencentAccount({ store, api, places, outgoing, log });
  const switches = new CloudSwitches(store);
  const rowsOf = (kind: CloudKind) => new CloudRows(store, kind, join(dataDir, 'cloud', kind));
  const rows = { dvr: rowsOf('dvr'), vod: rowsOf('vod') };
  const sinks = {
    dvr: dvrSink({ account, places, outgoing }),
    vod: vodSink({ account, places, outgoing, rows: rows.vod }),
  };
  const recorderOf = (kind: CloudKind) => {
    const needs = { kind, rows: rows[kind], queue: uploads, switches, sink: sinks[kind], log };
    const { silenceMs } = context;
    const recorder = new CloudRecorder({ ...needs, ...(silenceMs !== undefined && { silenceMs }) });
    segments.add(recorder);
    return recorder;
  };
  const libraryOf = (kind: CloudKind) =>
    new CloudLibrary({ kind, rows: rows[kind], queue: uploads, sink: sinks[kind], log });
  const libraries = { dvr: libraryOf('dvr'), vod: libraryOf('vod') };
  const recorders = { dvr: recorderOf('dvr'), vod: recorderOf('vod') };
  const service = new CloudService({ account, switches, queue: uploads, recorders, libraries, videos: rows.vod, log });

  /** What time brings. The store or the disk may come later than this process. */
  const look = async (signal: AbortSignal) => {
    let hasResumed = false;
    while (!signal.aborted) {
      try {
        if (!hasResumed) await Promise.all([recorders.dvr.resume(), recorders.vod.resume()]);
        hasResumed = true;
        await service.look();
      } catch (error) {
        log.warn({ err: error }, 'recordings in the cloud cannot be looked after');
      }
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    service,
    alerts: async () => {
      const told = (['dvr', 'vod'] as const).map(async (kind) =>
        uploadAlert(kind, { page: 'scenario', tab: 'others', child: kind }, await uploads.backlog(kind)),
      );
      return (await Promise.all(told)).flat();
    },
    run: look,
  };
}
