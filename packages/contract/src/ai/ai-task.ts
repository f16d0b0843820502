import * as z from 'zod';
import { post } from '../endpoint.ts';
import { outletLimits } from '../media/outlet.ts';

/** How often the console asks for queues and states. */
export const aiTaskPollMs = 3000;

export const aiTaskLimits = { settingCharacters: 512 } as const;

export const TaskSetting = z.string().max(aiTaskLimits.settingCharacters).default('');
/** A stream by `name`, `app/name` or `vhost/app/name`. */
export const TaskStream = z.string().max(outletLimits.streamCharacters);
export const TaskUuid = z.string().max(64).default('');
export const AiTask = z.object({ uuid: z.string() });

/** What every queue tells of a segment. `stream` and `epoch` are additions to what older clients know. */
export const TaskSegment = z.object({
  tsid: z.string(),
  seqno: z.int(),
  url: z.string(),
  /** Seconds. */
  duration: z.number(),
  size: z.int(),
  /** As people name it. */
  stream: z.string(),
  /** Counts the runs of publishers within the task. */
  epoch: z.int(),
});

interface Calls<Config extends z.ZodType, Body extends z.ZodType> {
  /** As a sentence calls it. */
  readonly name: string;
  readonly config: Config;
  readonly body: Body;
  /** Which fields keep their value where a client does not send them. */
  readonly kept: string;
}

/** The calls of everything that AI does with the segments of live streams: settings, start and stop, and a fresh start. */
export function aiTaskCalls<Config extends z.ZodType, Body extends z.ZodType>(
  path: string,
  { name, config, body, kept }: Calls<Config, Body>,
) {
  return {
    query: post(`${path}/query`, {
      summary: `Get ${name} settings, with a masked key, and the current task`,
      data: z.object({ config, task: AiTask }),
    }),
    apply: post(`${path}/apply`, {
      summary: `Save ${name} settings and start or stop; ${kept}`,
      body,
      data: AiTask,
    }),
    reset: post(`${path}/reset`, {
      summary: 'Remove all segments of a stopped task and start a new one',
      body: z.object({ uuid: TaskUuid }),
      data: AiTask,
    }),
  } as const;
}

export function segmentsIn<Segment extends z.ZodType>(segment: Segment) {
  return z.object({ segments: z.array(segment), count: z.int() });
}
