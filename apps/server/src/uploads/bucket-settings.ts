import { randomUUID } from 'node:crypto';
import { type BucketTest, maskKey, type S3Bucket } from '@weir/contract';
import { WeirError } from '../core/errors.ts';
import type { Bucket, S3Client } from './s3-client.ts';
import { S3Error, toS3Error } from './s3-error.ts';

/** The secret is never sent, so a mask may stand for it towards any address: only the key it belongs to must be the same. */
export function secretFor(stored: S3Bucket, next: S3Bucket): string {
  const { secretAccessKey } = next;
  if (!secretAccessKey.includes('\u2022')) return secretAccessKey;
  if (secretAccessKey === maskKey(stored.secretAccessKey) && next.accessKeyId === stored.accessKeyId)
    return stored.secretAccessKey;
  throw new WeirError('invalid_input', 'enter the complete secret key for this access key');
}

/** Storage on one's own network is what many have: the administrator typed it. */
export function toBucket({ endpoint, region, bucket, pathStyle, accessKeyId, secretAccessKey }: S3Bucket): Bucket {
  const credential = { accessKeyId, secretAccessKey };
  const place = { endpoint, region: region === '' ? 'us-east-1' : region, name: bucket };
  return { ...place, isPathStyle: pathStyle, credential, ownNetwork: 'allowed' };
}

export function folderOf(prefix: string): string {
  const bare = prefix.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `${bare}/`;
}

/** Tests each operation that uploads need with a small object, and names the failed step. */
export async function testBucket(s3: S3Client, prefix: string): Promise<BucketTest> {
  const key = `${prefix}weir-test-${randomUUID()}.txt`;
  const text = 'Test file written by Weir; it is deleted immediately.\n';
  let step: BucketTest['step'] = 'write';
  try {
    await s3.put(key, text, 'text/plain');
    step = 'read';
    if ((await s3.read(key)) !== text) throw new S3Error('refused', 'the storage returned different data');
    step = 'delete';
    await s3.delete(key);
    return { step: '', failure: '', error: '' };
  } catch (error) {
    const { failure, message } = toS3Error(error);
    return { step, failure, error: message };
  }
}
