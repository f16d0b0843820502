import { cloudApi } from '@weir/contract';
import type { HttpApp } from '../../../core/http/http-app.ts';
import type { BucketService } from './bucket-service.ts';

export function bucketRoutes(http: HttpApp, bucket: BucketService): void {
  http.route(cloudApi.bucketQuery, () => bucket.query());
  http.route(cloudApi.bucketApply, (next) => bucket.apply(next));
  http.route(cloudApi.bucketTest, (next) => bucket.test(next));
  http.route(cloudApi.bucketRetry, () => bucket.retry());
}
