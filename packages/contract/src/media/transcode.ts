import * as z from 'zod';
import { post } from '../endpoint.ts';
import { outletLimits, serverProblem } from './outlet.ts';
import { ProcessRun } from './process.ts';

/** In kbit/s. */
const transcodeLimits = {
  vbitrate: { least: 100, most: 100_000 },
  abitrate: { least: 10, most: 1000 },
} as const;

/** Key of the process in reports and logs. */
export const transcodeProcessKey = 'transcode/main';

export const transcodeChoices = {
  vcodec: ['libx264'],
  vprofile: ['baseline', 'main', 'high'],
  vpreset: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'],
  acodec: ['aac'],
  /** 0 keeps the source's channels. */
  achannels: [0, 1, 2],
} as const;

/** Initial values of the form. */
export const transcodeDefaults = {
  vcodec: 'libx264',
  vprofile: 'baseline',
  vpreset: 'faster',
  vbitrate: 1200,
  acodec: 'aac',
  abitrate: 64,
  achannels: 0,
} as const;

const Choice = z.string().max(40).default('');
const Number0 = z.int().min(0).max(1_000_000_000).default(0);

/** Transcoding settings; zero and empty until saved. */
export const TranscodeConfig = z.object({
  /** On or off. */
  all: z.boolean().default(false),
  vcodec: Choice,
  vprofile: Choice,
  vpreset: Choice,
  vbitrate: Number0,
  acodec: Choice,
  abitrate: Number0,
  achannels: Number0,
  server: z.string().max(outletLimits.serverCharacters).default(''),
  secret: z.string().max(outletLimits.secretCharacters).default(''),
  /** Input: `name`, `app/name` or `vhost/app/name`; empty means the newest stream. */
  stream: z.string().max(outletLimits.streamCharacters).default(''),
});
export type TranscodeConfig = z.infer<typeof TranscodeConfig>;

export type TranscodeField = Exclude<keyof TranscodeConfig, 'all' | 'stream'>;

/** First problem in the order of the form. */
export type TranscodeProblem =
  | { readonly field: TranscodeField; readonly kind: 'range'; readonly least: number; readonly most: number }
  | { readonly field: TranscodeField; readonly kind: 'choice'; readonly choices: readonly (string | number)[] }
  | { readonly field: 'server'; readonly kind: 'missing' | 'scheme' | 'invalid' };

export function transcodeProblem(config: TranscodeConfig): TranscodeProblem | undefined {
  return transcodeProblems(config)[0];
}

/** All problems in the order of the form, so that a form can mark each field. */
export function transcodeProblems(config: TranscodeConfig): TranscodeProblem[] {
  const problems: TranscodeProblem[] = [];
  for (const field of ['vbitrate', 'abitrate'] as const) {
    const { least, most } = transcodeLimits[field];
    if (!(config[field] >= least && config[field] <= most)) problems.push({ field, kind: 'range', least, most });
  }
  for (const field of ['vcodec', 'vprofile', 'vpreset', 'acodec', 'achannels'] as const) {
    const choices: readonly (string | number)[] = transcodeChoices[field];
    if (!choices.includes(config[field])) problems.push({ field, kind: 'choice', choices });
  }
  // Either field may contain the whole URL.
  const kind = serverProblem(config.server.trim() === '' ? config.secret : config.server);
  return kind ? [...problems, { field: 'server', kind }] : problems;
}

export const TranscodeTask = ProcessRun.extend({
  uuid: z.string(),
  enabled: z.boolean(),
  /** Current input: `app/name` or `vhost/app/name`; empty if none. */
  input: z.string(),
  /** Output URL with secrets hidden. */
  output: z.string(),
  /** Resulting stream on this server as `app/name`; empty if it goes elsewhere. */
  outputStream: z.string(),
});
export type TranscodeTask = z.infer<typeof TranscodeTask>;

export const transcodeApi = {
  query: post('/terraform/v1/ffmpeg/transcode/query', {
    summary: 'Get transcoding settings',
    data: TranscodeConfig,
  }),
  apply: post('/terraform/v1/ffmpeg/transcode/apply', {
    summary: 'Save transcoding settings and start or stop; checked only when starting',
    body: TranscodeConfig.extend({ stream: TranscodeConfig.shape.stream.unwrap().optional() }),
    data: z.null(),
  }),
  task: post('/terraform/v1/ffmpeg/transcode/task', {
    summary: 'Get the current state of transcoding',
    data: TranscodeTask,
  }),
} as const;
