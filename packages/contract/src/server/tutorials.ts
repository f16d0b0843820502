import * as z from 'zod';
import { post } from '../endpoint.ts';

export const tutorialLimits = {
  /** Day-old counts are good enough for sorting. */
  freshMs: 24 * 3600_000,
  /** Pause after the video site failed to answer. */
  restMs: 5 * 60_000,
  /** Time limit from the DNS lookup to the last byte. */
  answerWithinMs: 5000,
  answerBytes: 512 * 1024,
  /** Cached videos; the oldest are dropped. */
  kept: 64,
  titleCharacters: 300,
  descCharacters: 4000,
} as const;

const Count = z.int().nonnegative().catch(0);

/** Facts from the video site. */
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
