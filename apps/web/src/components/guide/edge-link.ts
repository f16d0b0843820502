import { loadBalancerPath } from '@weir/contract';
import type { StreamAddresses } from '@weir/streams';

interface EdgeLink {
  readonly url: string;
  /** Player page of the stream. */
  readonly player: string;
}

/** HLS address via edges: the only edge, or the load balancer that knows the healthy ones. */
export function edgeLink(
  edges: readonly { readonly url: string }[],
  { m3u8Url, hlsPlayer }: Pick<StreamAddresses, 'm3u8Url' | 'hlsPlayer'>,
): EdgeLink | undefined {
  const [first, ...others] = edges;
  const { origin, pathname, search } = new URL(m3u8Url);
  // Edges know streams by path only, not by vhost.
  if (!first || search !== '') return undefined;
  const url = others.length === 0 ? `${first.url}${pathname}` : `${origin}${loadBalancerPath}${pathname}`;
  return { url, player: hlsPlayer.replace(m3u8Url, () => url) };
}
