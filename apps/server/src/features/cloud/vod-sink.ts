import { posix } from 'node:path';
import type { CloudMp4 } from '@weir/contract';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { S3Client } from '../../uploads/s3-client.ts';
import { S3Error } from '../../uploads/s3-error.ts';
import type { CloudRow, CloudRows } from './cloud-rows.ts';
import type { CloudSink } from './cloud-sink.ts';
import type { TencentAccount } from './tencent-account.ts';
import { TencentError, type TencentPlaces, toStorage } from './tencent-api.ts';

interface Context {
  readonly account: TencentAccount;
  readonly places: TencentPlaces;
  readonly outgoing: OutgoingClient;
  readonly rows: CloudRows;
  readonly clock: Pick<Clock, 'dateMs'>;
}

const Name = z.string().regex(/^[a-z0-9-]{1,128}$/);
const Session = z.object({
  VodSessionKey: z.string().min(1),
  StorageBucket: Name,
  StorageRegion: Name,
  MediaStoragePath: z.string().min(1).max(1024),
  TempCertificate: z.object({
    SecretId: z.string(),
    SecretKey: z.string(),
    Token: z.string(),
    ExpiredTime: z.number(),
  }),
});
const Committed = z.object({ FileId: z.string(), MediaUrl: z.string() });
const Processed = z.object({ TaskId: z.string() });
const Transcoded = z.object({
  Url: z.string(),
  Bitrate: z.number(),
  Height: z.number(),
  Width: z.number(),
  Size: z.number(),
  Duration: z.number(),
  Md5: z.string(),
  Definition: z.number(),
});
const Media = z.object({
  MediaInfoSet: z
    .array(z.looseObject({ TranscodeInfo: z.object({ TranscodeSet: z.array(Transcoded) }).nullish() }))
    .nullish(),
});

/** A session is renewed this long before it ends, and after this long in any case. */
const marginMs = 60_000;
const longestMs = 1800_000;

/** Cloud video on demand: segments in a place the video service lends, which becomes a video when all of it is there. */
export function vodSink({ account, places, outgoing, rows, clock }: Context): CloudSink {
  /** With the session of before, so that it stays the same upload. */
  const apply = async ({ uuid, session }: CloudRow): Promise<CloudRow> => {
    const again = session ? { VodSessionKey: session.key } : {};
    const given = await account.vod('ApplyUpload', { MediaType: 'm3u8', ...again }, Session);
    const { SecretId, SecretKey, Token, ExpiredTime } = given.TempCertificate;
    const expiresAtMs = Math.min(ExpiredTime * 1000, clock.dateMs() + longestMs);
    return rows.change(uuid, () => ({
      session: { key: given.VodSessionKey, secretId: SecretId, secretKey: SecretKey, token: Token, expiresAtMs },
      bucket: given.StorageBucket,
      region: given.StorageRegion,
      path: given.MediaStoragePath.replace(/^\/+/, ''),
    }));
  };

  return {
    isReady: async () => {
      const { service, storage } = await account.read();
      return (await account.hasSecret()) && service !== 0 && storage !== '';
    },
    begin: async () => ({}),
    placeFor: async (found, { id, key: wanted, failure }) =>
      translated(async () => {
        const isRefused = failure === 'wrong-key' || failure === 'denied';
        const isFresh = found.session !== null && found.session.expiresAtMs - marginMs > clock.dateMs();
        const row = isFresh && !isRefused ? found : await apply(found);
        const { bucket, region, path, session } = row;
        if (!session) throw new S3Error('account', 'the video service offered no upload target');
        const credential = {
          accessKeyId: session.secretId,
          secretAccessKey: session.secretKey,
          sessionToken: session.token,
        };
        const key = id.endsWith('-playlist') ? path : posix.join(posix.dirname(path), posix.basename(wanted));
        return { bucket: toStorage(places, { bucket, region, credential }), key };
      }),
    finish: async ({ uuid, session }) =>
      translated(async () => {
        const row = await rows.get(uuid);
        const key = row?.session?.key ?? session?.key ?? '';
        // Committed by a try whose next step failed: it cannot be committed twice.
        const committed = row?.fileId
          ? { FileId: row.fileId, MediaUrl: row.mediaUrl }
          : await account.vod('CommitUpload', { VodSessionKey: key }, Committed);
        const found = { fileId: committed.FileId, mediaUrl: committed.MediaUrl };
        await rows.change(uuid, () => found);
        const { remux } = await account.read();
        if (remux === 0) return { ...found, session: null };
        const MediaProcessTask = { TranscodeTaskSet: [{ Definition: remux }] };
        const { TaskId } = await account.vod('ProcessMedia', { FileId: found.fileId, MediaProcessTask }, Processed);
        return { ...found, definition: remux, taskId: TaskId, session: null };
      }),
    urlOf: ({ bucket, region, path }, fileName) => {
      const credential = { accessKeyId: '', secretAccessKey: '' };
      const s3 = new S3Client(outgoing, toStorage(places, { bucket, region, credential }));
      return s3.urlOf(posix.join(posix.dirname(path), fileName)).href;
    },
  };
}

/** The mp4 the cloud made of it by now; undefined while it works. */
async function askForMp4(account: TencentAccount, { fileId, definition }: CloudRow): Promise<CloudMp4 | undefined> {
  const { MediaInfoSet } = await account.vod(
    'DescribeMediaInfos',
    { FileIds: [fileId], Filters: ['transcodeInfo'] },
    Media,
  );
  const made = MediaInfoSet?.[0]?.TranscodeInfo?.TranscodeSet.find(
    ({ Definition, Url }) => Definition === definition && Url,
  );
  if (!made) return undefined;
  const { Url, Bitrate, Height, Width, Size, Duration, Md5 } = made;
  return { url: Url, bitrate: Bitrate, height: Height, width: Width, size: Size, duration: Duration, md5: Md5 };
}

/** Turns errors of the account into upload errors, so that uploads are retried. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TencentError) throw new S3Error('account', error.message, { cause: error });
    throw error;
  }
}

/** The cloud gives up on an mp4 long before this. */
const mp4WithinMs = 24 * 3600_000;

interface VideosContext {
  readonly account: TencentAccount;
  readonly videos: CloudRows;
  readonly log: Log;
  readonly clock: Pick<Clock, 'dateMs'>;
}

/** Asks the cloud for the files it makes, so that the list of videos need not wait for the answer. */
export async function updateVideos({ account, videos, log, clock }: VideosContext): Promise<void> {
  for (const row of await videos.list()) {
    if (row.mp4 || row.taskId === '' || clock.dateMs() - row.updatedAtMs > mp4WithinMs) continue;
    const mp4 = await askForMp4(account, row).catch((error: unknown) => {
      log.debug({ err: error }, 'cloud file could not be queried');
      return undefined;
    });
    if (mp4) await videos.change(row.uuid, () => ({ mp4 }));
  }
}
