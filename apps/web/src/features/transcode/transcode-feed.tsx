import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { paths } from '../../lib/paths.ts';
import { transcodeTaskQuery } from './transcode-queries.ts';

export function TranscodeFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const { data: task } = useQuery(transcodeTaskQuery);
  if (!task) return null;
  const { input, output, outputStream, process } = task;
  const isFed = input === streamLabel(stream) && process.state !== 'off';
  return (
    <FeedRow
      to={`${paths.scenario}?tab=transcode`}
      tab={t('transcode.tab')}
      title={t('transcode.tab')}
      state={
        isFed ? (
          <ProcessStateLabel report={process} tinted={false} />
        ) : (
          <StatusLabel tone="off" word={t('streamPage.feeds.none')} />
        )
      }
    >
      {isFed && (outputStream === '' ? output : <StreamLink stream={parseStreamPath(outputStream)} />)}
    </FeedRow>
  );
}
