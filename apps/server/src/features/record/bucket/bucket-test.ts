import { randomUUID } from 'node:crypto';
import type { BucketTest } from '@weir/contract';
import type { S3Client } from '../../../uploads/s3-client.ts';
import { S3Error, toS3Error } from '../../../uploads/s3-error.ts';

/** Does with a small object what recordings need, and says at which step it went wrong. */
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
