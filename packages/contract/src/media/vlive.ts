import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Outlet, OutletChange, OutletRow, outletLimits } from './outlet.ts';
import { Source, SourceRef, sourceLimits } from './source.ts';

/** Destination of looped files or of an external stream. */
export const VliveOutlet = Outlet.extend({ files: z.array(Source).default([]) });
export type VliveOutlet = z.infer<typeof VliveOutlet>;

const Files = z.array(SourceRef).max(sourceLimits.files);

const VliveChange = OutletChange.extend({
  /** Sources by id, in playing order. */
  files: Files.optional(),
});

export const VliveRow = OutletRow.extend({
  files: z.array(Source),
  /** Id of the current file. */
  source: z.string().optional(),
});
export type VliveRow = z.infer<typeof VliveRow>;

export const vliveApi = {
  secret: post('/terraform/v1/ffmpeg/vlive/secret', {
    summary: 'Get the saved destinations by platform, or save (update) or delete (remove) one with an action',
    body: VliveChange,
    data: z.record(z.string(), VliveOutlet).nullable(),
  }),
  streams: post('/terraform/v1/ffmpeg/vlive/streams', {
    summary: 'Get the current state of each destination',
    data: z.array(VliveRow),
  }),
  source: post('/terraform/v1/ffmpeg/vlive/source', {
    summary: 'Check prepared sources and assign them to a destination, in playback order',
    body: z.object({ platform: z.string().max(outletLimits.platformCharacters).default(''), files: Files.default([]) }),
    data: z.object({ platform: z.string(), files: z.array(Source) }),
  }),
} as const;
