import { limits, publishRefusals } from '@weir/contract';
import { defaultVhost } from '@weir/dialect';
import * as z from 'zod';

const Text = z.string().default('');
const Name = z.string().min(1).max(limits.streamNameCharacters);

const Client = z.object({
  action: z.string(),
  client_id: z.string().min(1),
  server_id: Text,
  ip: z.string().max(64).default(''),
  vhost: z.string().max(limits.streamNameCharacters).default(defaultVhost),
  app: Name,
  stream: Name,
  param: Text,
  /** Ours, not SRS's. */
  protocol: z.enum(['rtmp', 'srt', 'rtc', 'flv', 'hls', '']).default('').catch(''),
});

/** on_publish, on_unpublish, on_play, on_stop. `preview`, ours: the console's own picture, which nobody watches. */
export const ClientHook = Client.extend({ preview: z.boolean().default(false) });
export type ClientHook = z.output<typeof ClientHook>;

/** The engine refused a publisher without asking us. */
export const RefusalHook = Client.extend({ reason: z.enum(publishRefusals) });

export const SegmentHook = Client.extend({
  action: z.literal('on_hls'),
  file: z.string().min(1),
  url: Text,
  m3u8_url: Text,
  duration: z.number().nonnegative(),
  seq_no: z.int().nonnegative(),
  /** Ours, not SRS's. */
  discontinuity: z.boolean().optional(),
});
