import { availableParallelism } from 'node:os';
import type { MediaServer } from '../../media-server/media-server.ts';
import { freePercent } from './ladder-plan.ts';

const meanSeconds = 10;

/** CPU of this machine that is free for encoding. */
export class FreeCpu {
  readonly cores = availableParallelism();
  readonly #mediaServer: Pick<MediaServer, 'serverDetail'>;

  constructor(mediaServer: Pick<MediaServer, 'serverDetail'>) {
    this.#mediaServer = mediaServer;
  }

  /** Free CPU in percent of a core, by the mean of the last seconds. */
  async freePercent(): Promise<number> {
    const { seconds } = await this.#mediaServer.serverDetail();
    const recent = (seconds.columns.cpu?.slice(-meanSeconds) ?? []).flatMap((share) => share ?? []);
    const used = recent.length > 0 ? recent.reduce((sum, each) => sum + each, 0) / recent.length : 0;
    return freePercent(this.cores, used);
  }
}
