import { LiveStreams } from './live-streams.ts';
import { Upstream } from './upstream.ts';

/** One process of SRS, as the front door sees it. */
export class RelayOrigin {
  readonly api: Upstream;
  readonly media: Upstream;
  readonly live: LiveStreams;

  constructor(api: string, media: string) {
    this.api = new Upstream(api);
    this.media = new Upstream(media);
    this.live = new LiveStreams(this.api);
  }

  close(): void {
    this.api.close();
    this.media.close();
  }
}

/** The first that has a publisher for `/app/stream`. Rejects when none of them tells. */
export async function findOrigin(origins: readonly RelayOrigin[], stream: string): Promise<RelayOrigin | undefined> {
  const asked = await Promise.allSettled(origins.map(({ live }) => live.has(stream)));
  const at = asked.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
  if (at >= 0) return origins[at];
  const failed = asked.find((answer) => answer.status === 'rejected');
  if (failed && asked.every(({ status }) => status === 'rejected')) throw failed.reason;
  return undefined;
}
