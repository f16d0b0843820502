import * as z from 'zod';

/** `service` is another one in each run of SRS. */
export const VersionsAnswer = z.object({ code: z.literal(0), service: z.string() });

export const SummariesAnswer = z.object({
  data: z.object({ self: z.object({ srs_uptime: z.number() }) }),
});

/** `options2`: what it was built with, such as `--srt=on`. */
export const FeaturesAnswer = z.object({ data: z.object({ options2: z.string().default('') }) });

export const VhostsAnswer = z.object({
  code: z.literal(0),
  vhosts: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** Without a client when there is none of this id. `alive`: for how many seconds. */
export const ClientAnswer = z.object({
  client: z.object({ ip: z.string(), type: z.string(), alive: z.number() }).optional(),
});
