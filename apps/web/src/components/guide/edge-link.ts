import { loadBalancerPath } from '@weir/contract';
import type { StreamAddresses } from '@weir/dialect';

interface EdgeLink {
  readonly url: string;
  /** The page that plays it, as the one for this server's own HLS. */
  readonly player: string;
}

/** HLS of a stream by way of the owner's edges: the one there is, or the load balancer, which knows which of several are well. */
export function edgeLink(
  edges: readonly { readonly url: string }[],
  { m3u8Url, hlsPlayer }: Pick<StreamAddresses, 'm3u8Url' | 'hlsPlayer'>,
): EdgeLink | undefined {
  const [first, ...others] = edges;
  const { origin, pathname, search } = new URL(m3u8Url);
  // Edges serve streams by their paths: of another vhost they know nothing.
  if (!first || search !== '') return undefined;
  const url = others.length === 0 ? `${first.url}${pathname}` : `${origin}${loadBalancerPath}${pathname}`;
  return { url, player: hlsPlayer.replace(m3u8Url, () => url) };
}
