import { qualityPattern } from '@weir/streams';
import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Outlet, OutletChange, OutletRow, outletLimits } from './outlet.ts';

const ForwardQuality = z.union([z.literal(''), z.string().regex(new RegExp(`^${qualityPattern}$`))]);

/** Destination of a live stream. */
export const ForwardOutlet = Outlet.extend({
  /** `name`, `app/name` or `vhost/app/name`; empty means the newest stream. */
  stream: z.string().default(''),
  /** Quality to send where the stream has several, such as `720p`, or the next smaller one; empty means the best. */
  quality: ForwardQuality.default(''),
});
export type ForwardOutlet = z.infer<typeof ForwardOutlet>;

export const ForwardChange = OutletChange.extend({
  /** Unchanged if omitted. */
  stream: z.string().max(outletLimits.streamCharacters).optional(),
  /** Unchanged if omitted. */
  quality: ForwardQuality.optional(),
});
export type ForwardChange = z.infer<typeof ForwardChange>;

export const ForwardRow = OutletRow.extend({
  /** Current stream: `app/name` or `vhost/app/name`. */
  stream: z.string().optional(),
});
export type ForwardRow = z.infer<typeof ForwardRow>;

export const forwardApi = {
  secret: post('/terraform/v1/ffmpeg/forward/secret', {
    summary: 'Get the saved destinations by platform, or save (update) or delete (remove) one with an action',
    body: ForwardChange,
    data: z.record(z.string(), ForwardOutlet).nullable(),
  }),
  streams: post('/terraform/v1/ffmpeg/forward/streams', {
    summary: 'Get the current state of each destination',
    data: z.array(ForwardRow),
  }),
} as const;
