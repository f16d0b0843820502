import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LivePlayer } from '../../components/player/live-player.tsx';
import { RecordedPlayer, type RecordedSource } from '../../components/player/recorded-player.tsx';
import { parseSource } from '../../components/player/session/player-source.ts';
import { idleState, type PlayerState } from '../../components/player/session/player-state.ts';
import { StatisticsPanel } from '../../components/player/statistics-panel.tsx';
import { AddressForm } from '../address-form.tsx';
import { PageFrame } from '../page-frame.tsx';
import { ShareLink } from '../share-link.tsx';
import { startPage } from '../start-page.tsx';
import { toolLinks } from '../tool-links.ts';
import { useSiteTitle } from '../use-site-title.ts';
import classes from './player.module.css';
import {
  type PlayerRequest,
  parsePartsRequest,
  parseStartSecond,
  parseUrlRequest,
  toRecordedSource,
} from './player-address.ts';

/** Each press of the button starts a new run with audio, since browsers allow it after a user gesture. */
interface Run extends PlayerRequest {
  readonly number: number;
}

function PlayerPage({ name, address: page }: { name: string; address: URL }) {
  const { t } = useTranslation();
  const [run, setRun] = useState<Run>(() => ({
    ...(name === 'srs_player' ? parsePartsRequest(page) : parseUrlRequest(page)),
    number: 0,
  }));
  const read = parseSource(run.address, page);
  const refusal = 'refusal' in read ? read.refusal : undefined;
  const share = buildShareUrl(page, run.address);

  const take = (address: string) => {
    setRun({ address, autoStart: true, number: run.number + 1 });
    window.history.replaceState(null, '', buildShareUrl(page, address));
  };

  return (
    <PageFrame title={t('pages.player')} links={toolLinks(name, page, (tool) => t(`pages.tool.${tool}`))}>
      <AddressForm
        label={t('pages.address')}
        placeholder={`${page.origin}/live/livestream.flv`}
        action={t('player.play')}
        initial={run.address}
        error={
          refusal === undefined || (refusal === 'empty' && run.number === 0)
            ? undefined
            : `${t(`player.failureTitle.${refusal}`)}. ${t(`player.failureText.${refusal}`)}`
        }
        onSubmit={take}
      />
      {'source' in read ? (
        <LivePlayer
          key={run.number}
          sources={[read.source]}
          title={run.address}
          autoStart={run.autoStart}
          startsMuted={run.number === 0}
        />
      ) : (
        <div className={classes.nothing}>
          <p>{refusal === 'empty' ? t('pages.nothing') : t(`player.failureTitle.${read.refusal}`)}</p>
        </div>
      )}
      {'source' in read && <ShareLink address={share} />}
    </PageFrame>
  );
}

/** Link to this page that plays the same address. */
function buildShareUrl(page: URL, address: string): string {
  const share = new URL(page.pathname, page);
  if (address !== '') share.searchParams.set('url', address);
  if (page.pathname.includes('srs_player')) share.searchParams.set('autostart', 'true');
  const lang = page.searchParams.get('lang');
  if (lang !== null) share.searchParams.set('lang', lang);
  return share.href;
}

interface RecordingPageProps {
  source: RecordedSource;
  address: URL;
}

const longestTitle = 200;

/** Minimal page for people with a link to a recording. */
function RecordingPage({ source, address }: RecordingPageProps) {
  const { t } = useTranslation();
  const title = address.searchParams.get('title')?.trim().slice(0, longestTitle) || t('pages.recording');
  return (
    <PageFrame title={title} links={[]}>
      <RecordedPlayer source={source} title={title} startSeconds={parseStartSecond(address)} />
      <ShareLink address={address.href} />
    </PageFrame>
  );
}

/** Video that fills the window: for a second screen or an iframe. */
function CinemaPage({ address: page }: { address: URL }) {
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

await startPage(({ name, address }) => {
  if (name === 'xgplayer') return <CinemaPage address={address} />;
  const read = name === 'player' ? parseSource(parseUrlRequest(address).address, address) : undefined;
  const recorded = read && 'source' in read ? toRecordedSource(read.source) : undefined;
  return recorded ? (
    <RecordingPage source={recorded} address={address} />
  ) : (
    <PlayerPage name={name} address={address} />
  );
});
