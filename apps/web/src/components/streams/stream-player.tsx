import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LivePlayer } from '../player/live-player.tsx';
import { parseStreamPath, previewQuery } from './preview-query.ts';
import { streamSources } from './stream-sources.ts';
import { useStreamPicture } from './thumbnail.tsx';

/** Plays a stream of this server; loads nothing before the user presses play. */
export function StreamPlayer({ stream }: { stream: string }) {
  const place = useMemo(() => parseStreamPath(stream), [stream]);
  const query = useQuery(previewQuery(place)).data?.query;
  const poster = useStreamPicture(place, true);
  const sources = useMemo(() => streamSources(stream, { ...(query !== undefined && { query }) }), [stream, query]);
  return <LivePlayer sources={sources} title={stream} autoStart={false} showsStatistics={false} poster={poster} />;
}
