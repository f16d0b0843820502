import { useTranslation } from 'react-i18next';
import type { PageData } from './page-data.ts';
import { StageNote } from './stage/stage-note.tsx';
import classes from './stage/watch-player.module.css';
import frame from './viewer-frame.module.css';
import { ViewerFrame } from './viewer-frame.tsx';

/** Page of unknown addresses, the same for all of them. */
export function UnknownPage({ data, isEmbed = false }: { data: PageData; isEmbed?: boolean }) {
  const { t } = useTranslation();
  const site = data.kind === 'unknown' ? data.site : { title: '', icp: '' };
  const stage = (
    <main className={isEmbed ? frame.fill : frame.main}>
      <h1 className={frame.hidden}>{t('watch.unknown.title')}</h1>
      <div className={classes.frame}>
        <StageNote name="unknown" />
      </div>
    </main>
  );
  return isEmbed ? stage : <ViewerFrame site={site}>{stage}</ViewerFrame>;
}
