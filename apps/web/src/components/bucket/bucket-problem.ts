import type { S3Bucket } from '@weir/contract';

export type BucketField = 'endpoint' | 'bucket' | 'region' | 'accessKeyId' | 'secretAccessKey' | 'prefix';

export interface BucketProblem {
  readonly field: BucketField;
  readonly text:
    | 'noEndpoint'
    | 'badEndpoint'
    | 'noBucket'
    | 'badBucket'
    | 'noKey'
    | 'noSecret'
    | 'secretAgain'
    | 'badPrefix';
}

/** Finds the first problem in the order of the form, without a request. `saved` holds the masked secret. */
export function findBucketProblem(next: S3Bucket, saved: S3Bucket): BucketProblem | undefined {
  const { endpoint, bucket, accessKeyId, secretAccessKey, prefix } = next;
  if (endpoint === '') return { field: 'endpoint', text: 'noEndpoint' };
  if (!/^https?:\/\/[^/?#@]+[^?#@]*$/.test(endpoint) || !URL.canParse(endpoint))
    return { field: 'endpoint', text: 'badEndpoint' };
  if (bucket === '') return { field: 'bucket', text: 'noBucket' };
  if (!/^[A-Za-z0-9._-]+$/.test(bucket)) return { field: 'bucket', text: 'badBucket' };
  if (accessKeyId === '') return { field: 'accessKeyId', text: 'noKey' };
  if (secretAccessKey === '') return { field: 'secretAccessKey', text: 'noSecret' };
  const isMask = secretAccessKey === saved.secretAccessKey;
  if (isMask && accessKeyId !== saved.accessKeyId) return { field: 'secretAccessKey', text: 'secretAgain' };
  if (!/^[A-Za-z0-9!_.*'()/-]*$/.test(prefix) || prefix.split('/').some((part) => part === '.' || part === '..'))
    return { field: 'prefix', text: 'badPrefix' };
  return undefined;
}
