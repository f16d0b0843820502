import { placeText } from '@weir/streams';
import { Activity, useState } from 'react';
import { useSearchParams } from 'react-router';
import { FeatureParts } from '../../components/feature-parts.tsx';
import { parseStreamQuery } from '../../components/streams/stream-link.tsx';
import { LiveGuide } from './live-guide.tsx';

/** Shows the guide, or the stream named by the address. The guide stays mounted. */
export function LiveTab() {
  const [query] = useSearchParams();
  const stream = query.get('tab') === 'live' ? parseStreamQuery(query) : undefined;
  const [isGuided, setIsGuided] = useState(stream === undefined);
  if (!isGuided && !stream) setIsGuided(true);
  return (
    <>
      {isGuided && (
        <Activity mode={stream ? 'hidden' : 'visible'}>
          <LiveGuide />
        </Activity>
      )}
      {stream && <FeatureParts key={placeText(stream)} slot="streamPage" props={{ stream }} />}
    </>
  );
}
