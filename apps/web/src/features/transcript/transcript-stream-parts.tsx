import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { formatDelay } from '../../components/figures/format-figures.ts';
import { ProcessSince } from '../../components/processes/process-since.tsx';
import { ProcessStateLabel } from '../../components/processes/process-state-label.tsx';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { FeedRow } from '../../components/streams/feed-row.tsx';
import { IconBadgeCc } from '../../components/ui/theme/icons.ts';
import { useLocale } from '../../lib/i18n.ts';
import { languageName } from '../../lib/language-name.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import { transcriptQuery, transcriptStateQuery } from './transcript-queries.ts';

/** Leads to the subtitles. They need a provider and a language, so they are turned on there. */
export function TranscriptAction({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  const { data: state } = useQuery(transcriptStateQuery);
  const { data: settings } = useQuery(transcriptQuery);
  if (!state) return null;
  const own = state.streams.find((one) => one.stream === streamLabel(stream) && one.process.state !== 'off');
  const { lang = '', translations = [] } = settings?.config ?? {};
  const languages = [lang, ...translations].filter((code) => code !== '').map(languageName);
  const detail = !own
    ? t('streamPage.actions.off')
    : own.process.state === 'live'
      ? languages.join(t('live.facts.listComma')) || t('streamPage.actions.on')
      : t(`process.state.${own.process.state}`);
  return (
    <ActionTile
      icon={IconBadgeCc}
      title={t('streamPage.actions.subtitles')}
      detail={detail}
      {...(own && { isOn: true })}
      to={localPath(`${paths.scenario}?tab=transcript`)}
    />
  );
}

export function TranscriptFeed({ stream }: { stream: WirePlace }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { data: state } = useQuery(transcriptStateQuery);
  if (!state) return null;
  const fed = state.streams.find((one) => one.stream === streamLabel(stream) && one.process.state !== 'off');
  if (!fed) return null;
  const { delayMs } = fed;
  return (
    <FeedRow
      icon={IconBadgeCc}
      title={t('transcript.title')}
      detail={delayMs !== null && t('transcript.head.behind', { delay: formatDelay(delayMs, locale) })}
      state={<ProcessStateLabel report={fed.process} tinted={false} />}
      since={<ProcessSince report={fed.process} />}
      to={`${paths.scenario}?tab=transcript`}
      tab={t('transcript.title')}
    />
  );
}
