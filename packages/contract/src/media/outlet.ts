import * as z from 'zod';
import { ProcessRun } from './process.ts';

/** Platforms that have a slot of their own, in the order of their panels. */
export const namedPlatforms = ['wx', 'bilibili', 'kuaishou'] as const;
export type NamedPlatform = (typeof namedPlatforms)[number];

/** Features with slots, and how the names of their numbered slots begin: `forwarding-4-a1b2c3`. */
export const slotPrefixes = { forward: 'forwarding', vlive: 'vlive', camera: 'camera' } as const;
export type OutletFeature = keyof typeof slotPrefixes;

export const outletLimits = {
  platformCharacters: 80,
  serverCharacters: 2048,
  secretCharacters: 2048,
  labelCharacters: 200,
  streamCharacters: 512,
  /** From a click on start or stop until the next is taken, per slot. */
  lockMs: 3000,
} as const;

/** One push destination, as the console edits it. `custom`: a server and key of one's own rather than the platform's form. */
export const Outlet = z.object({
  platform: z.string(),
  server: z.string().default(''),
  secret: z.string().default(''),
  enabled: z.boolean().default(false),
  custom: z.boolean().default(false),
  label: z.string().default(''),
});
export type Outlet = z.infer<typeof Outlet>;

/** One path reads and writes: without an action it answers with every saved slot by platform, with one it changes a slot. */
export const OutletChange = z.object({
  /** `update` writes, `remove` forgets the slot; absent reads. */
  action: z.string().max(outletLimits.platformCharacters).optional(),
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
  /** The stream of this server that it makes, as `app/name` or `vhost/app/name`; absent when it goes elsewhere. */
  outputStream: z.string().optional(),
});
export type OutletRow = z.infer<typeof OutletRow>;

/** The number in the name of a feature's own slot; undefined for named platforms and for names that are none of its slots. */
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

/** Names the program of a slot, and with it the log of that program. */
export function outletProcessKey(feature: OutletFeature, platform: string): string {
  return `${feature}/${platform}`;
}

/** How many numbered slots there may be: the named platforms come first and count. */
export function numberedSlots(limit: number): number {
  return Math.max(0, limit - namedPlatforms.length);
}

/** What keeps an address from being pushed to. A plain path would be written to, one with a dash in front taken for an option. */
type ServerProblem = 'missing' | 'scheme' | 'invalid';

export function serverProblem(server: string): ServerProblem | undefined {
  const text = server.trim();
  if (text === '') return 'missing';
  if (!/^(?:rtmps?|srt):\/\//i.test(text)) return 'scheme';
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'invalid';
  return new URL(text).hostname === '' ? 'invalid' : undefined;
}
