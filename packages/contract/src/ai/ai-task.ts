import * as z from 'zod';
import { post } from '../endpoint.ts';
import { outletLimits } from '../media/outlet.ts';

/** Poll interval of queues and states. */
export const aiTaskPollMs = 3000;

export const aiTaskLimits = { settingCharacters: 512 } as const;

export const TaskSetting = z.string().max(aiTaskLimits.settingCharacters).default('');
/** `name`, `app/name` or `vhost/app/name`. */
export const TaskStream = z.string().max(outletLimits.streamCharacters);
export const TaskUuid = z.string().max(64).default('');
export const AiTask = z.object({ uuid: z.string() });

/** Common fields of queued segments. `stream` and `epoch` are newer than the original API. */
export const TaskSegment = z.object({
  tsid: z.string(),
  seqno: z.int(),
  url: z.string(),
  /** Seconds. */
  duration: z.number(),
  size: z.int(),
  /** Display name. */
  stream: z.string(),
  /** Counts publishers within the task. */
  epoch: z.int(),
});

interface Calls<Config extends z.ZodType, Body extends z.ZodType> {
  /** Name within a sentence. */
  readonly name: string;
  readonly config: Config;
  readonly body: Body;
  /** Fields that keep their value if omitted. */
  readonly kept: string;
}

/** Calls shared by AI tasks on live segments: settings, start and stop, reset. */
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
