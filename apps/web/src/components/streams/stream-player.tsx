import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LivePlayer } from '../player/live-player.tsx';
import { parseStreamPath, previewQuery } from './preview-query.ts';
import { streamSources } from './stream-sources.ts';

/** Plays a stream of this server; loads nothing before the user presses play. */
export function StreamPlayer({ stream }: { stream: string }) {
  const query = useQuery(previewQuery(parseStreamPath(stream))).data?.query;
  const sources = useMemo(() => streamSources(stream, { ...(query !== undefined && { query }) }), [stream, query]);
  return <LivePlayer sources={sources} title={stream} autoStart={false} showsStatistics={false} />;
}
