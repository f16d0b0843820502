import { bucketApi } from '@weir/contract';
import type { HttpApp } from '../../../core/http/http-app.ts';
import type { BucketService } from './bucket-service.ts';

export function bucketRoutes(http: HttpApp, bucket: BucketService): void {
  http.route(bucketApi.query, () => bucket.query());
  http.route(bucketApi.apply, (next) => bucket.apply(next));
  http.route(bucketApi.test, (next) => bucket.test(next));
  http.route(bucketApi.retry, () => bucket.retry());
}
