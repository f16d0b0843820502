import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloudApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import { UploadQueue } from '../../cloud/upload-queue.ts';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { OutgoingClient } from '../../core/outgoing/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import { BucketRepository } from './bucket-repository.ts';
import { BucketService } from './bucket-service.ts';

interface Context {
  readonly dataDir: string;
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly removeRecording: (uuid: string) => Promise<void>;
  readonly log: Log;
}

const lookMs = 5000;

export function createCloud({ dataDir, store, outgoing, removeRecording, log: parent }: Context) {
  const log = parent.child({ feature: 'cloud' });
  const queue = new UploadQueue({ directory: join(dataDir, 'uploads'), store, outgoing, log });
  const repository = new BucketRepository(store);
  const bucket = new BucketService({ repository, queue, outgoing, removeRecording, log });

  /** What time brings. */
  const look = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await bucket.tidy().catch((error: unknown) => log.warn({ err: error }, 'uploads could not be looked after'));
      await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    bucket,
    run: async (signal: AbortSignal) => {
      await Promise.all([queue.run(signal), look(signal)]);
    },
  };
}

export function cloudRoutes(http: HttpApp, { bucket }: Pick<ReturnType<typeof createCloud>, 'bucket'>): void {
  http.route(cloudApi.bucketQuery, () => bucket.query());
  http.route(cloudApi.bucketApply, async (next) => {
    await bucket.apply(next);
    return null;
  });
  http.route(cloudApi.bucketTest, (next) => bucket.test(next));
  http.route(cloudApi.bucketRetry, () => {
    bucket.retry();
    return null;
  });
}
