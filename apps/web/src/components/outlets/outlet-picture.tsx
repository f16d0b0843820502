import type { Outlet, OutletRow, Source } from '@weir/contract';
import { SourceThumbnail } from '../sources/source-thumbnail.tsx';
import { parseStreamPath } from '../streams/preview-query.ts';
import { Thumbnail } from '../streams/thumbnail.tsx';
import { type OwnServer, ownStreamName } from './destination/own-destination.ts';

interface OutletPictureProps {
  slot: Outlet;
  row: OutletRow | undefined;
  own: OwnServer | undefined;
  /** Shown where the result is not a stream of this server. */
  source: Source | undefined;
}

/** Preview of a slot: its stream on this server, else its source. */
export function OutletPicture({ slot, row, own, source }: OutletPictureProps) {
  const isLive = row?.process.state === 'live';
  const name = own && ownStreamName(slot, own);
  const stream = row?.outputStream ?? (name && `live/${name}`);
  if (!stream) return <SourceThumbnail source={source} isLive={isLive} />;
  return <Thumbnail stream={parseStreamPath(stream)} isLive={isLive} />;
}
