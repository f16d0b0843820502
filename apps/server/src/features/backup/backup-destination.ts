import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupSettings, BackupTest } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { folderOf, testBucket, toBucket } from '../../uploads/bucket-settings.ts';
import { S3Client } from '../../uploads/s3-client.ts';
import { S3Error } from '../../uploads/s3-error.ts';

/** Where backups are kept. */
export interface BackupDestination {
  /** Tells it from other places. */
  readonly place: string;
  /** The file appears there as a whole or not at all. */
  write(name: string, file: string, bytes: number): Promise<void>;
  remove(name: string): Promise<void>;
  test(): Promise<BackupTest>;
}

interface Context {
  readonly directory: string;
  readonly outgoing: OutgoingClient;
  readonly clock: Clock;
}

export function openDestination({ destination, bucket }: BackupSettings, context: Context): BackupDestination {
  return destination === 'bucket' ? bucketDestination(bucket, context) : directoryDestination(context.directory);
}

function directoryDestination(directory: string): BackupDestination {
  return {
    place: 'directory',
    write: async (name, file) => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const part = join(directory, `${name}.part`);
      try {
        await pipeline(createReadStream(file), createWriteStream(part, { mode: 0o600 }));
        const handle = await open(part, 'r+');
        await handle.sync().finally(() => handle.close());
        await rename(part, join(directory, name));
      } finally {
        await rm(part, { force: true });
      }
    },
    remove: (name) => rm(join(directory, name), { force: true }),
    test: async () => {
      const file = join(directory, `weir-test-${randomUUID()}.txt`);
      const text = 'Test file written by Weir; it is deleted immediately.\n';
      let step: BackupTest['step'] = 'write';
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await writeFile(file, text, { flag: 'wx', mode: 0o600 });
        step = 'read';
        if ((await readFile(file, 'utf8')) !== text) throw new Error('other content');
        step = 'delete';
        await rm(file);
        return { step: '', failure: '', error: '' };
      } catch (error) {
        return { step, failure: 'directory', error: describeFileError(error) };
      }
    },
  };
}

const fileErrors: Readonly<Record<string, string>> = {
  EACCES: 'this server may not write there',
  EPERM: 'this server may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'there is a file where the directory should be',
  EEXIST: 'there is a file where the directory should be',
  EIO: 'the disk reports an error',
  ESTALE: 'the network share is gone',
};

/** Without the path. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return fileErrors[code] ?? `the directory cannot be used${code === '' ? '' : ` (${code})`}`;
}

function bucketDestination(bucket: BackupSettings['bucket'], { outgoing, clock }: Context): BackupDestination {
  const s3 = new S3Client(outgoing, toBucket(bucket), clock);
  const folder = folderOf(bucket.prefix);
  return {
    place: `${bucket.endpoint} ${bucket.bucket} ${folder}`,
    write: async (name, file, bytes) => {
      await s3.putFile(folder + name, { file, from: 0, to: bytes }, 'application/octet-stream');
      // The word of the storage: this may be the only copy some day.
      if ((await s3.sizeOf(folder + name)) !== bytes) throw new S3Error('refused', 'the stored file is incomplete');
    },
    remove: (name) => s3.delete(folder + name),
    test: () => testBucket(s3, folder),
  };
}
