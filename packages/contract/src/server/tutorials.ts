import * as z from 'zod';
import { post } from '../endpoint.ts';

export const tutorialLimits = {
  /** Counts that are a day old are good enough for sorting. */
  freshMs: 24 * 3600_000,
  /** After the video site did not answer, nobody asks it for this long. */
  restMs: 5 * 60_000,
  /** From looking up the name to the last byte. */
  answerWithinMs: 5000,
  answerBytes: 512 * 1024,
  /** Videos whose facts are kept; of more, the oldest are forgotten. */
  kept: 64,
  titleCharacters: 300,
  descCharacters: 4000,
} as const;

const Count = z.int().nonnegative().catch(0);

/** What the video site says of a video. */
export const TutorialVideo = z.object({
  bvid: z.string(),
  title: z.string(),
  desc: z.string(),
  stat: z.object({ view: Count, like: Count, share: Count }),
});
export type TutorialVideo = z.infer<typeof TutorialVideo>;

export const tutorialsApi = {
  video: post('/terraform/v1/mgmt/bilibili', {
    summary: 'Get title, description and counts of a Bilibili video; null when it is not available',
    body: z.object({
      bvid: z.string().regex(/^BV[0-9A-Za-z]{10}$/, 'must be a video id: BV and ten letters or digits'),
    }),
    data: TutorialVideo.nullable(),
  }),
} as const;
