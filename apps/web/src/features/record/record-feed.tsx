import { useQuery } from '@tanstack/react-query';
import { placeText, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { DataAge } from '../../components/streams/data-age.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { IconPlayerRecord } from '../../components/ui/theme/icons.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { recordedBytes } from './library/recorded.ts';
import { recordingsQuery } from './record-queries.ts';

/** Recordings of the stream. The tile above the rows turns recording on. */
export function RecordFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data: all, dataUpdatedAt } = useQuery(recordingsQuery);
  const own = (all ?? []).filter((recording) => placeText(recording) === placeText(stream));
  if (own.length === 0) return null;
  const now = own.find(({ state }) => state === 'recording');
  const failed = own.find(({ state }) => state === 'failed');
  const bytes = own.reduce((sum, recording) => sum + recordedBytes(recording), 0);
  const state = now ? 'recording' : failed ? 'failed' : 'done';
  return (
    <FeedRow
      icon={IconPlayerRecord}
      title={t('record.task')}
      detail={t('streamPage.feeds.recordings', { count: own.length, size: formatBytes(bytes, locale) })}
      state={
        <StatusLabel
          tone={now ? 'recording' : failed ? 'bad' : 'done'}
          word={now ? t('streamPage.feeds.recording') : t(`record.state.${state}`)}
        />
      }
      since={now && <Moment at={now.startedAt} />}
      numbers={
        now && (
          <>
            {formatBytes(recordedBytes(now), locale)} <DataAge updatedAtMs={dataUpdatedAt} />
          </>
        )
      }
      to={`${paths.scenario}?tab=record${now ? `&recording=${encodeURIComponent(now.uuid)}` : ''}`}
      tab={t('record.tab')}
    />
  );
}
