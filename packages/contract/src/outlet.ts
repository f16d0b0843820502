import * as z from 'zod';
import { ProcessRun } from './process.ts';

/** Platforms that have a slot of their own, in the order of their panels. */
export const namedPlatforms = ['wx', 'bilibili', 'kuaishou'] as const;
export type NamedPlatform = (typeof namedPlatforms)[number];

export const outletLimits = {
  platformCharacters: 80,
  serverCharacters: 2048,
  secretCharacters: 2048,
  labelCharacters: 200,
  /** From a click on start or stop until the next is taken, per slot. */
  lockMs: 3000,
} as const;

/** One push destination, as the console edits it. `custom`: a server and key of one's own rather than the platform's form. */
export const Outlet = z.object({
  platform: z.string(),
  server: z.string(),
  secret: z.string(),
  enabled: z.boolean().default(false),
  custom: z.boolean().default(false),
  label: z.string().default(''),
});
export type Outlet = z.infer<typeof Outlet>;

/** One path reads and writes: without an action it answers with every saved slot by platform, with one it changes a slot. */
export const OutletChange = z.object({
  /** `update` writes, `remove` forgets the slot; absent reads. */
  action: z.string().optional(),
  platform: z.string().max(outletLimits.platformCharacters).optional(),
  server: z.string().max(outletLimits.serverCharacters).optional(),
  secret: z.string().max(outletLimits.secretCharacters).optional(),
  enabled: z.boolean().optional(),
  custom: z.boolean().optional(),
  label: z.string().max(outletLimits.labelCharacters).optional(),
});
export type OutletChange = z.infer<typeof OutletChange>;

/** What a slot does now. Holds no secret. */
export const OutletRow = ProcessRun.extend({
  platform: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
});
export type OutletRow = z.infer<typeof OutletRow>;
