import { Glob } from '@weir/streams';
import * as z from 'zod';
import { post } from '../endpoint.ts';

export const rewindLimits = {
  rules: 100,
  patternCharacters: 512,
  /** Least window that is not off. */
  leastSeconds: 60,
  mostSeconds: 24 * 3600,
  /** Windows are asked for this often. */
  pollMs: 5000,
} as const;

const Pattern = z
  .string()
  .trim()
  .min(1)
  .max(rewindLimits.patternCharacters)
  .transform((text) => (text.startsWith('/') ? text : `/${text}`))
  .refine((text) => typeof Glob.parse(text) !== 'string', 'is not a valid pattern');

const rules = {
  /** A path such as `/live/stage`, or a pattern such as `/live/*`. A rule that names the stream decides before the first pattern that matches. */
  pattern: Pattern,
  /** How far viewers may go back; 0 for not at all. */
  windowSeconds: z
    .int()
    .min(0)
    .max(rewindLimits.mostSeconds)
    .refine(
      (seconds) => seconds === 0 || seconds >= rewindLimits.leastSeconds,
      `must be 0 or at least ${rewindLimits.leastSeconds}`,
    ),
};

export const RewindRule = z.object({ id: z.string(), ...rules });
export type RewindRule = z.infer<typeof RewindRule>;

const RewindWindow = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Dates of its beginning and end. */
  from: z.string(),
  to: z.string(),
  /** Size of its segments. Those that a recording has as well are on the disk once. */
  bytes: z.number(),
});
export type RewindWindow = z.infer<typeof RewindWindow>;

export const rewindApi = {
  query: post('/terraform/v1/hooks/rewind/query', {
    summary: 'List rules for rewinding, and what is kept of streams',
    data: z.object({
      rules: z.array(RewindRule),
      windows: z.array(RewindWindow),
      /** Since when windows are shorter than their rules because the disk is nearly full; empty while they are not. */
      shortenedSince: z.string(),
      /** False with a separate SRS, which cannot serve them. */
      isAvailable: z.boolean(),
    }),
  }),
  save: post('/terraform/v1/hooks/rewind/save', {
    summary: 'Create a rule for rewinding, or change the one of an id',
    body: z.object({ id: z.string().max(64).optional(), ...rules }),
    data: RewindRule,
  }),
  remove: post('/terraform/v1/hooks/rewind/remove', {
    summary: 'Remove a rule for rewinding; what was kept under it alone is deleted',
    body: z.object({ id: z.string().max(64) }),
    data: z.null(),
  }),
} as const;
