import * as z from 'zod';
import { post } from '../endpoint.ts';

/** Shares one playlist among all viewers: cacheable, but viewers are not counted. */
const HlsDelivery = z.object({ noHlsCtx: z.boolean().default(false) });

/** Shorter segments: less delay, more requests. */
const HlsLatency = z.object({ hlsLowLatency: z.boolean().default(false) });

export const hlsApi = {
  queryDelivery: post('/terraform/v1/mgmt/hphls/query', {
    summary: 'Get whether all HLS viewers share one playlist',
    data: HlsDelivery,
  }),
  updateDelivery: post('/terraform/v1/mgmt/hphls/update', {
    summary: 'Set whether all HLS viewers share one playlist',
    body: HlsDelivery,
    data: z.null(),
  }),
  queryLatency: post('/terraform/v1/mgmt/hlsll/query', {
    summary: 'Get whether HLS uses short segments',
    data: HlsLatency,
  }),
  updateLatency: post('/terraform/v1/mgmt/hlsll/update', {
    summary: 'Set whether HLS uses short segments',
    body: HlsLatency,
    data: z.null(),
  }),
} as const;
