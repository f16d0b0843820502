import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { S3Client } from '../../uploads/s3-client.ts';
import type { CloudSink } from './cloud-sink.ts';
import { credentialOf, type TencentAccount } from './tencent-account.ts';
import { storageOf, type TencentPlaces } from './tencent-api.ts';

interface Context {
  readonly account: TencentAccount;
  readonly places: TencentPlaces;
  readonly outgoing: OutgoingClient;
}

/** Cloud recording: segments in the bucket of the account, where everybody who knows their names may read them. */
export function dvrSink({ account, places, outgoing }: Context): CloudSink {
  return {
    isReady: async () => (await account.hasSecret()) && (await account.read()).bucket !== '',
    begin: async () => {
      const { bucket, region } = await account.read();
      return { bucket, region };
    },
    placeFor: async ({ bucket, region }, { key }) => {
      const credential = credentialOf(await account.read());
      return { bucket: storageOf(places, { bucket, region, credential }), key };
    },
    finish: async () => ({}),
    urlOf: ({ uuid, bucket, region }, tsid) => {
      const credential = { accessKeyId: '', secretAccessKey: '' };
      return new S3Client(outgoing, storageOf(places, { bucket, region, credential })).urlOf(`${uuid}/${tsid}.ts`).href;
    },
  };
}
