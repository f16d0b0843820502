import { WeirError } from '../../core/errors.ts';
import type { SourceFolders } from '../source-folders.ts';

interface Context {
  readonly folders: SourceFolders;
  readonly largestBytes: number;
}

/** Bytes between two checks of free disk space. */
const roomCheckBytes = 64 * 1024 * 1024;

/** Stops what grows beyond the limit or the disk; the downloader itself knows sizes only where the page tells them. */
export class DownloadLimit {
  readonly #context: Context;
  failure: WeirError | undefined;
  #checkedAt = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  watch(bytes: number, stop: () => void): void {
    const fail = (error: unknown) => {
      this.failure ??=
        error instanceof WeirError ? error : new WeirError('unavailable', 'the free disk space could not be read');
      stop();
    };
    if (bytes > this.#context.largestBytes) {
      fail(new WeirError('too_large', 'the video is larger than the upload limit (WEIR_UPLOAD_LIMIT)'));
    }
    if (bytes - this.#checkedAt < roomCheckBytes) return;
    this.#checkedAt = bytes;
    this.#context.folders.assertRoom(0).catch(fail);
  }
}
