import * as z from 'zod';
import { ProcessRun } from './process.ts';

/** Platforms with a slot of their own, in panel order. */
export const namedPlatforms = ['wx', 'bilibili', 'kuaishou'] as const;
export type NamedPlatform = (typeof namedPlatforms)[number];

/** Features with slots, and the prefix of their numbered slots: `forwarding-4-a1b2c3`. */
export const slotPrefixes = { forward: 'forwarding', vlive: 'vlive', camera: 'camera' } as const;
export type OutletFeature = keyof typeof slotPrefixes;

export const outletLimits = {
  platformCharacters: 80,
  serverCharacters: 2048,
  secretCharacters: 2048,
  labelCharacters: 200,
  streamCharacters: 512,
  /** Lock time per slot after a start or stop. */
  lockMs: 3000,
} as const;

/** Push destination. `custom`: a user's own server and key instead of the platform's form. */
export const Outlet = z.object({
  platform: z.string(),
  server: z.string().default(''),
  secret: z.string().default(''),
  enabled: z.boolean().default(false),
  custom: z.boolean().default(false),
  label: z.string().default(''),
});
export type Outlet = z.infer<typeof Outlet>;

/** One path reads and writes: without an action it returns all saved slots by platform, with one it changes a slot. */
export const OutletChange = z.object({
  /** `update` writes, `remove` deletes the slot; absent reads. */
  action: z.string().max(outletLimits.platformCharacters).optional(),
  platform: z.string().max(outletLimits.platformCharacters).optional(),
  server: z.string().max(outletLimits.serverCharacters).optional(),
  secret: z.string().max(outletLimits.secretCharacters).optional(),
  enabled: z.boolean().optional(),
  custom: z.boolean().optional(),
  label: z.string().max(outletLimits.labelCharacters).optional(),
});
export type OutletChange = z.infer<typeof OutletChange>;

/** Running state of a slot, without secrets. */
export const OutletRow = ProcessRun.extend({
  platform: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
  /** Resulting stream on this server, as `app/name` or `vhost/app/name`; absent if it goes elsewhere. */
  outputStream: z.string().optional(),
});
export type OutletRow = z.infer<typeof OutletRow>;

/** Number in a slot name; undefined for named platforms and other names. */
export function parseSlotNumber(feature: OutletFeature, platform: string): number | undefined {
  const number = new RegExp(`^${slotPrefixes[feature]}-(\\d{1,4})-[A-Za-z0-9_-]{1,40}$`).exec(platform)?.[1];
  return number === undefined ? undefined : Number(number);
}

export function isNamedPlatform(platform: string): platform is NamedPlatform {
  return namedPlatforms.some((name) => name === platform);
}

export function isFeaturePlatform(feature: OutletFeature, platform: string): boolean {
  return isNamedPlatform(platform) || parseSlotNumber(feature, platform) !== undefined;
}

/** Process key of a slot, also used for its log. */
export function outletProcessKey(feature: OutletFeature, platform: string): string {
  return `${feature}/${platform}`;
}

/** Number of numbered slots; named platforms count towards the limit. */
export function numberedSlots(limit: number): number {
  return Math.max(0, limit - namedPlatforms.length);
}

/** Problems of a push address. A plain path would be written to, and a leading dash taken for an option. */
type ServerProblem = 'missing' | 'scheme' | 'invalid';

export function serverProblem(server: string): ServerProblem | undefined {
  const text = server.trim();
  if (text === '') return 'missing';
  if (!/^(?:rtmps?|srt):\/\//i.test(text)) return 'scheme';
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'invalid';
  return new URL(text).hostname === '' ? 'invalid' : undefined;
}
