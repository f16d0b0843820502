import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Outlet, OutletChange, OutletRow, outletLimits } from './outlet.ts';

/** A destination that gets a live stream of this server. */
export const ForwardOutlet = Outlet.extend({
  /** `name`, `app/name` or `vhost/app/name`; empty = the newest one. */
  stream: z.string().default(''),
});
export type ForwardOutlet = z.infer<typeof ForwardOutlet>;

export const ForwardChange = OutletChange.extend({
  /** Left out, it stays as it is. */
  stream: z.string().max(outletLimits.streamCharacters).optional(),
});
export type ForwardChange = z.infer<typeof ForwardChange>;

export const ForwardRow = OutletRow.extend({
  /** The stream that is taken now: `app/name`, or `vhost/app/name`. */
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
