import { useTranslation } from 'react-i18next';
import { RecordedPlayer, type RecordedSource } from '../../components/player/recorded-player.tsx';
import { PageFrame } from '../page-frame.tsx';
import { ShareLink } from '../share-link.tsx';
import { parseStartSecond } from './player-address.ts';

interface WatchPageProps {
  source: RecordedSource;
  address: URL;
}

const longestTitle = 200;

/** Minimal page for people with a link to a recording. */
export function WatchPage({ source, address }: WatchPageProps) {
  const { t } = useTranslation();
  const title = address.searchParams.get('title')?.trim().slice(0, longestTitle) || t('pages.recording');
  return (
    <PageFrame title={title} links={[]}>
      <RecordedPlayer source={source} title={title} startSeconds={parseStartSecond(address)} />
      <ShareLink address={address.href} />
    </PageFrame>
  );
}
