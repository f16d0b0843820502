import { useMemo } from 'react';
import { LivePlayer } from '../../components/player/live-player.tsx';
import type { PlayerSource } from '../../components/player/player-source.ts';
import { streamAddresses } from './stream-addresses.ts';

/** A stream of this server, to be watched where it is talked about. It loads nothing before somebody presses play. */
export function StreamPlayer({ stream }: { stream: string }) {
  const sources = useMemo(() => sourcesOf(stream), [stream]);
  return <LivePlayer sources={sources} title={stream} autoStart={false} showsStatistics={false} />;
}

function sourcesOf(path: string): PlayerSource[] {
  const { flvUrl, m3u8Url } = pageAddresses(path);
  return [
    { kind: 'flv', url: flvUrl },
    { kind: 'hls', url: m3u8Url },
  ];
}

/** From the page's own server, so that no published port and no other name comes between. */
export function pageAddresses(path: string) {
  return streamAddresses({ path, page: window.location, environment: { rtmpPort: '', srtPort: '', httpPort: '' } });
}
