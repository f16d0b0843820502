import * as z from 'zod';
import { post } from '../endpoint.ts';
import { Outlet, OutletChange, OutletRow, outletLimits } from './outlet.ts';
import { Source, SourceRef, sourceLimits } from './source.ts';

/** Extra audio track: none, or a silent one for platforms that require audio. Other values mean none. */
export const extraAudios = ['', 'silent'] as const;
const ExtraAudio = z.enum(extraAudios).catch('');
export type ExtraAudio = z.infer<typeof ExtraAudio>;

/** Destination of a camera stream. */
export const CameraOutlet = Outlet.extend({
  files: z.array(Source).default([]),
  extraAudio: ExtraAudio.default(''),
});
export type CameraOutlet = z.infer<typeof CameraOutlet>;

const Files = z.array(SourceRef).max(sourceLimits.files);

const CameraChange = OutletChange.extend({
  /** Sources by id; only the first is sent. */
  files: Files.optional(),
  extraAudio: z.string().max(40).optional(),
});

export const CameraRow = OutletRow.extend({
  files: z.array(Source),
  extraAudio: z.string(),
  /** Id of the current source. */
  source: z.string().optional(),
});
export type CameraRow = z.infer<typeof CameraRow>;

export const cameraApi = {
  secret: post('/terraform/v1/ffmpeg/camera/secret', {
    summary: 'Get the saved destinations by platform, or save (update) or delete (remove) one with an action',
    body: CameraChange,
    data: z.record(z.string(), CameraOutlet).nullable(),
  }),
  streams: post('/terraform/v1/ffmpeg/camera/streams', {
    summary: 'Get the current state of each destination',
    data: z.array(CameraRow),
  }),
  streamUrl: post('/terraform/v1/ffmpeg/camera/stream-url', {
    summary: 'Add a camera by its stream URL',
    body: z.object({ url: z.string().max(sourceLimits.urlCharacters) }),
    data: z.object({ name: z.string(), uuid: z.string(), target: z.string() }),
  }),
  source: post('/terraform/v1/ffmpeg/camera/source', {
    summary: 'Check a camera stream and assign it to a destination',
    body: z.object({ platform: z.string().max(outletLimits.platformCharacters).default(''), files: Files.default([]) }),
    data: z.object({ platform: z.string(), files: z.array(Source) }),
  }),
} as const;
