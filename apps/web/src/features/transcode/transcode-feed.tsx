import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ProcessNumbersText } from '../../components/processes/process-numbers.tsx';
import { ProcessSince } from '../../components/processes/process-since.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { DataAge } from '../../components/streams/data-age.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { parseStreamPath } from '../../components/streams/preview-query.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { IconTransform } from '../../components/ui/theme/icons.ts';
import { paths } from '../../lib/paths.ts';
import { transcodeTaskQuery } from './transcode-queries.ts';

export function TranscodeFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const { data: task, dataUpdatedAt } = useQuery(transcodeTaskQuery);
  if (!task || task.input !== streamLabel(stream) || task.process.state === 'off') return null;
  const { output, outputStream, process } = task;
  return (
    <FeedRow
      icon={IconTransform}
      title={t('transcode.tab')}
      detail={outputStream === '' ? output : <StreamLink stream={parseStreamPath(outputStream)} />}
      state={<ProcessStateLabel report={process} tinted={false} />}
      since={<ProcessSince report={process} />}
      numbers={
        process.numbers && (
          <>
            <ProcessNumbersText numbers={process.numbers} /> <DataAge updatedAtMs={dataUpdatedAt} />
          </>
        )
      }
      to={`${paths.scenario}?tab=transcode`}
      tab={t('transcode.tab')}
    />
  );
}
