import { TutorialVideo, tutorialLimits } from '@weir/contract';
import type { OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';

/** Undefined when the site has no such video; throws when it cannot be asked. */
export type AskVideoSite = (bvid: string) => Promise<TutorialVideo | undefined>;

const policy: OutgoingPolicy = {
  ownNetwork: 'never',
  verifiesTls: true,
  redirects: 0,
  withinMs: tutorialLimits.answerWithinMs,
  answerBytes: tutorialLimits.answerBytes,
};

/** The public call of Bilibili that describes a video. */
export function askBilibili(
  outgoing: OutgoingClient,
  // Tests bring a site of their own.
  { origin = 'https://api.bilibili.com', ownNetwork = policy.ownNetwork } = {},
): AskVideoSite {
  return async (bvid) => {
    const url = `${origin}/x/web-interface/view?bvid=${encodeURIComponent(bvid)}`;
    const headers = { accept: 'application/json', 'user-agent': 'Weir' };
    const { status, body } = await outgoing.send({ url, method: 'GET', headers }, { ...policy, ownNetwork });
    if (status !== 200) throw new Error(`the video site responded with status ${status}`);
    return readVideo(JSON.parse(body.toString('utf8')));
  };
}

/** The site answers `{code, data}`; a code other than 0 means that there is no such video. */
function readVideo(answer: unknown): TutorialVideo | undefined {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return undefined;
  const { data: video } = TutorialVideo.safeParse(answer.data);
  if (!video) return undefined;
  const { titleCharacters, descCharacters } = tutorialLimits;
  return { ...video, title: video.title.slice(0, titleCharacters), desc: video.desc.slice(0, descCharacters) };
}
