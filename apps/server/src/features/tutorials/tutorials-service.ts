import { TutorialVideo, tutorialLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import type { AskVideoSite } from './video-site.ts';

const KeptVideo = z.object({ at: z.number(), video: TutorialVideo });
type KeptVideo = z.infer<typeof KeptVideo>;

interface Context {
  readonly store: Store;
  readonly ask: AskVideoSite;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * Facts about tutorial videos. The guide works without the video site: old facts are better than none, missing ones are
 * no error, and an unreachable site is not retried for a while.
 */
export class TutorialsService {
  readonly #kept: Collection<KeptVideo>;
  readonly #ask: AskVideoSite;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #asking = new Map<string, Promise<TutorialVideo | null>>();
  #restUntil = 0;

  constructor({ store, ask, log, clock }: Context) {
    this.#kept = store.collection('tutorials', KeptVideo);
    this.#ask = ask;
    this.#log = log;
    this.#clock = clock;
  }

  async video(bvid: string): Promise<TutorialVideo | null> {
    const kept = await this.#kept.get(bvid);
    const isFresh = kept !== undefined && this.#clock.dateMs() - kept.at < tutorialLimits.freshMs;
    if (isFresh || this.#clock.dateMs() < this.#restUntil) return kept?.video ?? null;
    return (await this.#fetchOnce(bvid)) ?? kept?.video ?? null;
  }

  /** Two pages that open at once cost one question. */
  #fetchOnce(bvid: string): Promise<TutorialVideo | null> {
    const asking = this.#asking.get(bvid) ?? this.#fetchFromSite(bvid).finally(() => this.#asking.delete(bvid));
    this.#asking.set(bvid, asking);
    return asking;
  }

  async #fetchFromSite(bvid: string): Promise<TutorialVideo | null> {
    let video: TutorialVideo | undefined;
    try {
      video = await this.#ask(bvid);
    } catch (error) {
      this.#restUntil = this.#clock.dateMs() + tutorialLimits.restMs;
      this.#log.debug(
        { bvid, reason: error instanceof Error ? error.message : '' },
        'the video site could not be reached',
      );
      return null;
    }
    if (video) await this.#keep(bvid, video);
    return video ?? null;
  }

  async #keep(bvid: string, video: TutorialVideo): Promise<void> {
    await this.#kept.put(bvid, { at: this.#clock.dateMs(), video });
    const all = await this.#kept.list();
    const oldestFirst = all.sort((a, b) => a.value.at - b.value.at);
    const surplus = oldestFirst.slice(0, Math.max(0, all.length - tutorialLimits.kept));
    for (const { key } of surplus) await this.#kept.delete(key);
  }
}
