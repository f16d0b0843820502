import { useQuery } from '@tanstack/react-query';
import { defaultVhost, streamLabel, type WirePlace } from '@weir/streams';
import { type ReactNode, useMemo } from 'react';
import { LivePlayer } from '../player/live-player.tsx';
import type { PlayerState } from '../player/session/player-state.ts';
import { previewQuery } from './preview-query.ts';
import { streamSources } from './stream-sources.ts';
import { useStreamPicture } from './thumbnail.tsx';

interface PreviewPlayerProps {
  stream: WirePlace;
  /** Publisher id: a new publisher needs a new player. */
  publisher: string;
  /** True if this browser can use WebRTC with the server. */
  hasWhep: boolean;
  showsStatistics?: boolean;
  onState?: (state: PlayerState) => void;
  /** Shown until the preview token is known. */
  pending: ReactNode;
}

/** Player of the console, which is not counted as a viewer. */
export function PreviewPlayer(props: PreviewPlayerProps) {
  const { stream, publisher, hasWhep, showsStatistics = false, onState, pending } = props;
  const preview = useQuery(previewQuery(stream, publisher));
  const poster = useStreamPicture(stream, true);
  const { vhost, app, stream: name } = stream;
  const path = `${app}/${name}`;
  const host = vhost === defaultVhost ? [] : [`vhost=${encodeURIComponent(vhost)}`];
  const query = [...host, ...(preview.data ? [preview.data.query] : [])].join('&');
  const sources = useMemo(() => streamSources(path, { query, hasWhep }), [path, query, hasWhep]);
  if (preview.isPending) return pending;
  return (
    <LivePlayer
      key={publisher}
      sources={sources}
      title={streamLabel(stream)}
      showsStatistics={showsStatistics}
      poster={poster}
      {...(onState && { onState })}
    />
  );
}
