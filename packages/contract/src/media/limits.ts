import * as z from 'zod';
import { post } from '../endpoint.ts';

/** Above any encoder's rate; only catches typing errors. */
export const highestKbps = 1_000_000;
const defaultKbps = 5000;

const Kbps = z.int().min(1).max(highestKbps);

/** Highest bitrate in kbit/s of a source when it is added. */
export const BitrateLimits = z.object({ vlive: Kbps.default(defaultKbps), camera: Kbps.default(defaultKbps) });
export type BitrateLimits = z.infer<typeof BitrateLimits>;

export const limitsApi = {
  query: post('/terraform/v1/mgmt/limits/query', {
    summary: 'Get the maximum bitrates of sources, in Kbps',
    data: BitrateLimits,
  }),
  update: post('/terraform/v1/mgmt/limits/update', {
    summary: 'Set the maximum bitrates of sources; omitted fields stay unchanged',
    body: z.object({ vlive: Kbps.optional(), camera: Kbps.optional() }),
    data: z.null(),
  }),
} as const;
