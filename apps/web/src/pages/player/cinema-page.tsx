import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LivePlayer } from '../../components/player/live-player.tsx';
import { parseSource } from '../../components/player/session/player-source.ts';
import type { PlayerState } from '../../components/player/session/player-state.ts';
import { idleState } from '../../components/player/session/player-state.ts';
import { StatisticsPanel } from '../../components/player/statistics-panel.tsx';
import { useSiteTitle } from '../use-site-title.ts';
import classes from './cinema-page.module.css';
import { parseUrlRequest } from './player-address.ts';

/** Video that fills the window: for a second screen or an iframe. */
export function CinemaPage({ address: page }: { address: URL }) {
  const { t } = useTranslation();
  const site = useSiteTitle();
  const [state, setState] = useState<PlayerState>(idleState);
  const { address } = parseUrlRequest(page);
  const read = parseSource(address, page);
  useEffect(() => {
    document.title = `${t('pages.player')} · ${site}`;
  }, [t, site]);
  return (
    <main className={classes.page}>
      <h1 className={classes.hidden}>{t('pages.player')}</h1>
      {'source' in read ? (
        <>
          <LivePlayer sources={[read.source]} title={address} showsStatistics={false} onState={setState} />
          <details className={classes.figures}>
            <summary>{t('pages.figures')}</summary>
            <StatisticsPanel state={state} />
          </details>
        </>
      ) : (
        <div className={classes.refused} role="alert">
          <p className={classes.title}>{t(`player.failureTitle.${read.refusal}`)}</p>
          <p>{t(`player.failureText.${read.refusal}`)}</p>
          <a href="/tools/player.html">{t('pages.otherAddress')}</a>
        </div>
      )}
    </main>
  );
}
