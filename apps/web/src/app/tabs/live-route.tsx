import { placeText } from '@weir/streams';
import { Activity, useState } from 'react';
import { useSearchParams } from 'react-router';
import { parseStreamQuery } from '../../components/streams/stream-link.tsx';
import { LiveTab } from '../../features/live/live-tab.tsx';
import { StreamScreen } from './stream-screen.tsx';

/** Shows the guide, or the stream named by the address. The guide stays mounted. */
export function LiveRoute() {
  const [query] = useSearchParams();
  const stream = query.get('tab') === 'live' ? parseStreamQuery(query) : undefined;
  const [isGuided, setIsGuided] = useState(stream === undefined);
  if (!isGuided && !stream) setIsGuided(true);
  return (
    <>
      {isGuided && (
        <Activity mode={stream ? 'hidden' : 'visible'}>
          <LiveTab />
        </Activity>
      )}
      {stream && <StreamScreen key={placeText(stream)} stream={stream} />}
    </>
  );
}
