import type { S3Bucket } from '@weir/contract';
import { expect, it } from 'vitest';
import { findBucketProblem } from './bucket-problem.ts';

const saved: S3Bucket = {
  endpoint: 'https://s3.example.com',
  region: '',
  bucket: 'shows',
  accessKeyId: 'KEY',
  secretAccessKey: '••••••••wxyz',
  prefix: '',
  pathStyle: true,
};

it.each<[Partial<S3Bucket>, string | undefined]>([
  [{}, undefined],
  [{ endpoint: 'http://10.0.0.2:9000/s3' }, undefined],
  [{ prefix: 'a/b-c_d.e/' }, undefined],
  [{ endpoint: '' }, 'noEndpoint'],
  [{ endpoint: 's3.example.com' }, 'badEndpoint'],
  [{ endpoint: 'https://user@s3.example.com' }, 'badEndpoint'],
  [{ endpoint: 'https://s3.example.com?x=1' }, 'badEndpoint'],
  [{ bucket: '' }, 'noBucket'],
  [{ bucket: 'a/b' }, 'badBucket'],
  [{ accessKeyId: '' }, 'noKey'],
  [{ secretAccessKey: '' }, 'noSecret'],
  [{ accessKeyId: 'OTHER' }, 'secretAgain'],
  [{ prefix: 'a/../b' }, 'badPrefix'],
])('finds in %j the problem %s', (change, text) =>
  expect(findBucketProblem({ ...saved, ...change }, saved)?.text).toBe(text),
);
