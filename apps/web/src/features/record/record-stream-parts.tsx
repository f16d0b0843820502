import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { otherRules, recordApi, streamRecordChoice } from '@weir/contract';
import { placeText, streamLabel, type WirePlace } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../components/processes/use-now.ts';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { DataAge } from '../../components/streams/data-age.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { IconPlayerRecord } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { formatBytes, formatPosition } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { recordedBytes, recordedSeconds } from './library/recorded.ts';
import { recordingsQuery, recordKey, recordQuery } from './record-queries.ts';

/** Records the stream by a rule with exactly its name. A wider rule is changed on the record page. */
export function RecordAction({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const localPath = useLocalPath();
  const [isAsking, setIsAsking] = useState(false);
  const { data: settings } = useQuery(recordQuery);
  const { data: recordings } = useQuery(recordingsQuery);
  const running = recordings?.find((one) => one.state === 'recording' && placeText(one) === placeText(stream));
  const nowMs = useNow(running !== undefined);
  const { app, stream: name } = stream;
  const apply = useMutation({
    mutationFn: (record: boolean) => client.call(recordApi.stream, { app, stream: name, record }),
    onSuccess: (_data, record) =>
      notify.success(t(record ? 'record.one.started' : 'record.one.ended', { name: streamLabel(stream) })),
    onSettled: () => {
      setIsAsking(false);
      return queries.invalidateQueries({ queryKey: recordKey });
    },
  });
  if (!settings) return null;
  const { by, rule } = streamRecordChoice(settings, stream);
  const isOn = by !== 'off' && by !== 'unmatched';
  const others = otherRules(settings.globs, stream);
  const elapsed = running && formatPosition(recordedSeconds(running, nowMs));
  const why = by === 'rule' ? t('record.one.byRule', { rule }) : by === 'every' ? t('record.one.every') : undefined;
  const state = elapsed ?? (isOn ? t('record.one.waiting') : t('record.one.off'));
  const tile = {
    icon: IconPlayerRecord,
    tone: 'recording',
    isOn,
    title: running ? t('record.state.recording') : t('record.tab'),
    detail: why === undefined ? state : running ? `${state} · ${why}` : why,
  } as const;
  // Another rule decides, so its page has the switch.
  if (why !== undefined) return <ActionTile {...tile} to={localPath(`${paths.scenario}?tab=record`)} />;
  const wouldRecordOthers = by === 'off' && others.length > 0;
  return (
    <>
      <ActionTile
        {...tile}
        isBusy={apply.isPending}
        onPress={() => (wouldRecordOthers ? setIsAsking(true) : apply.mutate(!isOn))}
      />
      <ConfirmDialog
        opened={isAsking}
        title={t('record.one.askTitle', { name: streamLabel(stream) })}
        text={t('record.one.askText', { rules: others.join(t('record.comma')) })}
        action={t('record.start')}
        busy={apply.isPending}
        onConfirm={() => apply.mutate(true)}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

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
