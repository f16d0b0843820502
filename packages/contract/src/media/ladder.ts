import { defaultVhost, Glob, ladderEncoders, ladderLimits, ladderPresets } from '@weir/streams';
import * as z from 'zod';
import { limits } from '../constants.ts';
import { post } from '../endpoint.ts';

export const ladderRuleLimits = {
  rules: 50,
  patternCharacters: 512,
  /** The state of a ladder is asked for this often. */
  pollMs: 3000,
} as const;

const { lines, kbps } = ladderLimits;

const LadderRung = z.object({
  /** Shorter side of the picture, in pixels. */
  lines: z
    .int()
    .min(lines.least)
    .max(lines.most)
    .refine((number) => number % 2 === 0, 'must be even'),
  kbps: z.int().min(kbps.least).max(kbps.most),
});

const Pattern = z
  .string()
  .trim()
  .min(1)
  .max(ladderRuleLimits.patternCharacters)
  .transform((text) => (text.startsWith('/') ? text : `/${text}`))
  .refine((text) => typeof Glob.parse(text) !== 'string', 'is not a valid pattern');

const encoding = {
  /** Empty: the best of those that work on this machine. */
  encoder: z.enum(['', ...ladderEncoders]).default(''),
  /** For software encoders. */
  preset: z.enum(ladderPresets).default('superfast'),
  /** Lower qualities; each is made of streams that are larger. */
  rungs: z
    .array(LadderRung)
    .min(1)
    .max(ladderLimits.rungs)
    .refine((rungs) => new Set(rungs.map((rung) => rung.lines)).size === rungs.length, 'must be of different sizes'),
};

const rules = {
  /** A path such as `/live/stage`, or a pattern such as `/live/*`. The first rule that matches a stream decides. */
  pattern: Pattern,
  enabled: z.boolean().default(true),
  /** `watched`: only while the stream has viewers. */
  when: z.enum(['always', 'watched']).default('always'),
  /** Adds audio alone as the lowest quality, in HLS. It is not encoded again. */
  hasAudioOnly: z.boolean().default(false),
  /** Makes every quality, also where the machine is measured to be too slow. */
  isForced: z.boolean().default(false),
  ...encoding,
};

/** Which streams get lower qualities that are made here. */
export const LadderRule = z.object({ id: z.string(), ...rules });
export type LadderRule = z.infer<typeof LadderRule>;

/**
 * Why an encoder does not work. `missing`: not in this ffmpeg. `driver`, `device`: none on this machine, or not reachable.
 * `keyframes`: it ignores forced keyframes. `ffmpeg`: there is no ffmpeg. `failed`: see `detail`.
 */
const encoderFaults = ['', 'missing', 'driver', 'device', 'keyframes', 'ffmpeg', 'failed'] as const;

export const LadderEncoderTest = z.object({
  encoder: z.enum(ladderEncoders),
  isUsable: z.boolean(),
  fault: z.enum(encoderFaults),
  /** First line that ffmpeg wrote. */
  detail: z.string(),
  /** Device that it works with, where one has to be chosen. */
  device: z.string(),
});
export type LadderEncoderTest = z.infer<typeof LadderEncoderTest>;

/**
 * `waiting`: no keyframe yet. `measuring`: the cost is measured. `refused`: nothing is made, see `cause`. `idle`: nothing to be made of
 * this stream. `unwatched`: made on demand, and nobody watches.
 */
const ladderRowStates = [
  ...(['waiting', 'measuring', 'refused', 'idle', 'unwatched', 'starting', 'running', 'failing'] as const),
] as const;

/** `room`: the machine has too little free time. `overload`: it did not keep up. `encoder`: none works. `sample`: the stream could not be read. */
const ladderCauses = ['', 'room', 'overload', 'encoder', 'sample'] as const;

const percent = z.number();

const LadderRow = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Id of its rule. */
  rule: z.string(),
  encoder: z.string(),
  state: z.enum(ladderRowStates),
  cause: z.enum(ladderCauses),
  /** Why qualities are missing, in English; empty where nothing is wrong. */
  reason: z.string(),
  /** CPU that its qualities need, and that is free, in percent of a core; 0 before it is measured. */
  needPercent: percent,
  freePercent: percent,
  rungs: z.array(
    LadderRung.extend({
      /** Name in playlists; empty before its first frame. */
      name: z.string(),
      /** False where it is left out. */
      isMade: z.boolean(),
      /** Bitrate now. */
      madeKbps: z.number(),
      /** Measured cost in percent of a core; null before. */
      percent: percent.nullable(),
    }),
  ),
});
export type LadderRow = z.infer<typeof LadderRow>;

export const LadderCost = z.object({
  encoder: z.enum(ladderEncoders),
  /** In percent of a core. */
  decodePercent: percent,
  rungs: z.array(LadderRung.extend({ percent })),
  /** With what a machine needs beside the measured time. */
  needPercent: percent,
  freePercent: percent,
  fits: z.boolean(),
});
export type LadderCost = z.infer<typeof LadderCost>;

const Name = z.string().min(1).max(limits.streamNameCharacters);

export const ladderApi = {
  query: post('/terraform/v1/ffmpeg/ladder/query', {
    summary: 'List rules for lower qualities, and what is made of live streams',
    data: z.object({
      rules: z.array(LadderRule),
      streams: z.array(LadderRow),
      /** False with a separate SRS, which has no ladders. */
      isAvailable: z.boolean(),
      cores: z.int(),
    }),
  }),
  save: post('/terraform/v1/ffmpeg/ladder/save', {
    summary: 'Create a rule for lower qualities, or change the one of an id',
    body: z.object({ id: z.string().max(64).optional(), ...rules }),
    data: LadderRule,
  }),
  remove: post('/terraform/v1/ffmpeg/ladder/remove', {
    summary: 'Remove a rule for lower qualities; the streams themselves are not interrupted',
    body: z.object({ id: z.string().max(64) }),
    data: z.null(),
  }),
  encoders: post('/terraform/v1/ffmpeg/ladder/encoders', {
    summary: 'Test all encoders by encoding with each; answers with the last results unless `isFresh`',
    body: z.object({ isFresh: z.boolean().default(false) }),
    data: z.object({
      encoders: z.array(LadderEncoderTest),
      /** Chosen where a rule names none; empty if none works. */
      chosen: z.enum(['', ...ladderEncoders]),
    }),
  }),
  measure: post('/terraform/v1/ffmpeg/ladder/measure', {
    summary: 'Measure what qualities of a live stream cost on this machine, by encoding 3 seconds of it',
    body: z.object({ vhost: Name.default(defaultVhost), app: Name, stream: Name, ...encoding }),
    data: LadderCost,
  }),
} as const;
