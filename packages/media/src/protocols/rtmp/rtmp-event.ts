import type { MediaKind } from './outgoing.ts';
import type { AppAddress, StreamAddress } from './stream-name.ts';

interface StreamWish extends StreamAddress {
  readonly streamId: number;
  readonly app: string;
}

/** Events of the peer, in order. */
export type RtmpEvent =
  | ({ readonly type: 'connect'; readonly pageUrl: string } & AppAddress)
  | ({ readonly type: 'publish' } & StreamWish)
  | ({ readonly type: 'play' } & StreamWish)
  | RtmpMediaEvent
  | { readonly type: 'unpublish' }
  | { readonly type: 'stopped' }
  | { readonly type: 'ignored'; readonly command: string };

/** The body of an FLV tag of the same kind. */
export interface RtmpMediaEvent {
  readonly type: 'media';
  readonly kind: MediaKind;
  readonly timestamp: number;
  readonly payload: Buffer;
}
