import type { WirePlace } from '@weir/streams';
import { FeedList } from '../../components/streams/feed-row.tsx';
import { BroadcastsPanel } from '../../components/timeline/broadcasts-panel.tsx';
import { TimelinePanel } from '../../components/timeline/timeline-panel.tsx';
import { ForwardFeed } from '../../features/forward/forward-feed.tsx';
import { HlsFeed } from '../../features/hls/hls-feed.tsx';
import { OcrFeed } from '../../features/ocr/ocr-feed.tsx';
import { RecordFeed } from '../../features/record/record-feed.tsx';
import { StreamPage } from '../../features/streams/page/stream-page.tsx';
import { TranscodeFeed } from '../../features/transcode/transcode-feed.tsx';
import { TranscriptFeed } from '../../features/transcript/transcript-feed.tsx';

/** Composes the stream page from the parts that each feature contributes. */
export function StreamScreen({ stream }: { stream: WirePlace }) {
  return (
    <StreamPage
      place={stream}
      timeline={
        <>
          <TimelinePanel place={stream} />
          <BroadcastsPanel place={stream} />
        </>
      }
      feeds={
        <FeedList>
          <ForwardFeed stream={stream} />
          <RecordFeed stream={stream} />
          <TranscodeFeed stream={stream} />
          <TranscriptFeed stream={stream} />
          <OcrFeed stream={stream} />
          <HlsFeed stream={stream} />
        </FeedList>
      }
    />
  );
}
