import type { CloudRecording, CloudVideo, cloudApi, DataOf } from '@weir/contract';
import type { SegmentFeed } from '../../segments/segment-feed.ts';
import type { UploadQueue } from '../../uploads/upload-queue.ts';
import type { CloudLibrary } from './cloud-library.ts';
import type { CloudRecorder } from './cloud-recorder.ts';
import type { CloudRow } from './cloud-rows.ts';
import type { CloudKind, CloudSwitches } from './cloud-switches.ts';
import type { TencentAccount } from './tencent-account.ts';

interface Context {
  /** Re-evaluates whether the engine must write segments. */
  readonly segments: Pick<SegmentFeed, 'changed'>;
  readonly account: TencentAccount;
  readonly switches: CloudSwitches;
  readonly queue: UploadQueue;
  readonly recorders: Record<CloudKind, CloudRecorder>;
  readonly libraries: Record<CloudKind, CloudLibrary>;
}

/** Administration of cloud recording and cloud video on demand. */
export class CloudService {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async setSecret(key: { secretId: string; secretKey: string; region: string }): Promise<void> {
    const { account, queue } = this.#context;
    await account.setUp(key);
    for (const kind of ['dvr', 'vod']) queue.retry(kind);
  }

  async queryDvr(): Promise<DataOf<typeof cloudApi.dvrQuery>> {
    return this.#query('dvr');
  }

  async queryVod(): Promise<DataOf<typeof cloudApi.vodQuery>> {
    const { service, storage } = await this.#context.account.read();
    return { ...(await this.#query('vod')), service: service !== 0, storage: storage !== '' };
  }

  async apply(kind: CloudKind, isOn: boolean): Promise<void> {
    await this.#context.switches.set(kind, isOn);
    await this.#context.segments.changed();
  }

  async recordings(): Promise<CloudRecording[]> {
    const found = await this.#context.libraries.dvr.list();
    return found.map(({ row, waiting }) => ({ ...factsOf(row, waiting), bucket: row.bucket, region: row.region }));
  }

  async videos(): Promise<CloudVideo[]> {
    const found = await this.#context.libraries.vod.list();
    return found.map(({ row, waiting }) => ({
      ...factsOf(row, waiting),
      file: row.fileId,
      media: row.mediaUrl,
      task: row.mp4,
    }));
  }

  playlist(kind: CloudKind, uuid: string): Promise<string> {
    return this.#context.libraries[kind].playlist(uuid);
  }

  async endSilent(): Promise<void> {
    await this.#context.recorders.dvr.endSilent();
    await this.#context.recorders.vod.endSilent();
  }

  async #query(kind: CloudKind): Promise<DataOf<typeof cloudApi.dvrQuery>> {
    const { switches, account, queue } = this.#context;
    return {
      all: await switches.isOn(kind),
      secret: await account.hasSecret(),
      backlog: await queue.backlog(kind),
    };
  }
}

function factsOf(row: CloudRow, waiting: number) {
  const { uuid, vhost, app, stream, segments, durationMs, bytes, lost } = row;
  return {
    uuid,
    vhost,
    app,
    stream,
    waiting,
    lost,
    progress: row.state !== 'done',
    update: new Date(row.updatedAtMs).toISOString(),
    nn: segments,
    duration: durationMs / 1000,
    size: bytes,
  };
}
