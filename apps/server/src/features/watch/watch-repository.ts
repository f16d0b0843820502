import { Channel, WatchPage, type WatchPicture, watchPictures } from '@weir/contract';
import * as z from 'zod';
import type { Setting } from '../../core/store/setting.ts';
import type { Collection, Store } from '../../core/store/store.ts';

/** Versions of pictures; empty where there is none. */
const Versions = z.object({
  poster: z.string().default(''),
  logo: z.string().default(''),
  background: z.string().default(''),
});

export const StoredPage = z.object({ page: WatchPage, versions: Versions });
export type StoredPage = z.output<typeof StoredPage>;

const StoredPicture = z.object({ version: z.string(), type: z.string(), base64: z.string() });
export type StoredPicture = z.output<typeof StoredPicture>;

/** Watch pages and their pictures, by playback id. */
export class WatchRepository {
  readonly pages: Collection<StoredPage>;
  readonly channel: Setting<Channel>;
  readonly #pictures: Collection<StoredPicture>;

  constructor(store: Store) {
    this.pages = store.collection('watch-pages', StoredPage);
    this.channel = store.setting('watch/channel', Channel);
    this.#pictures = store.collection('watch-pictures', StoredPicture);
  }

  async page(playback: string): Promise<StoredPage> {
    return (await this.pages.get(playback)) ?? emptyPage();
  }

  /** Stores the picture first, so that a page never refers to a missing one. */
  async putPicture(playback: string, kind: WatchPicture, picture: StoredPicture | undefined): Promise<void> {
    const key = pictureKey(playback, kind);
    if (picture) await this.#pictures.put(key, picture);
    await this.pages.update(playback, (current = emptyPage()) => ({
      ...current,
      versions: { ...current.versions, [kind]: picture?.version ?? '' },
    }));
    if (!picture) await this.#pictures.delete(key);
  }

  picture(playback: string, kind: WatchPicture): Promise<StoredPicture | undefined> {
    return this.#pictures.get(pictureKey(playback, kind));
  }
}

export function isPictureKind(text: string): text is WatchPicture {
  return watchPictures.some((kind) => kind === text);
}

function emptyPage(): StoredPage {
  return { page: WatchPage.parse({}), versions: Versions.parse({}) };
}

function pictureKey(playback: string, kind: WatchPicture): string {
  return `${playback}.${kind}`;
}
