import { useQuery } from '@tanstack/react-query';
import { streamLabel, type WirePlace } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { ActionTile } from '../../components/streams/action-tile.tsx';
import { IconBadgeCc } from '../../components/ui/theme/icons.ts';
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
