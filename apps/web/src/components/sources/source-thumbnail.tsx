import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Source, sourceApi } from '@weir/contract';
import { client } from '../../lib/api.ts';
import { PictureFrame } from '../streams/thumbnail.tsx';

/** One frame of a source. Kept as long as the page lives: a file does not change, and a camera is asked only on purpose. */
export const sourcePictureQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['source-picture', uuid],
    queryFn: ({ signal }) => client.image(sourceApi.picture, { uuid }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { quiet: true },
  });

interface SourceThumbnailProps {
  source: { readonly uuid: string; readonly type: string; readonly video: Source['video'] } | undefined;
  isLive: boolean;
}

/** Picture of a file, or the last one of a camera that was tested on this page. */
export function SourceThumbnail({ source, isLive }: SourceThumbnailProps) {
  const { data } = useQuery({
    ...sourcePictureQuery(source?.uuid ?? ''),
    enabled: source !== undefined && source.type !== 'stream' && source.video !== null,
  });
  return <PictureFrame picture={data instanceof Blob ? data : undefined} isLive={isLive} />;
}
