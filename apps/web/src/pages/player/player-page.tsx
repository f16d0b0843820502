import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LivePlayer } from '../../components/player/live-player.tsx';
import { parseSource } from '../../components/player/session/player-source.ts';
import { AddressForm } from '../address-form.tsx';
import { PageFrame } from '../page-frame.tsx';
import { ShareLink } from '../share-link.tsx';
import { toolLinks } from '../tool-links.ts';
import { type PlayerRequest, parsePartsRequest, parseUrlRequest } from './player-address.ts';
import classes from './player-page.module.css';

/** Each press of the button starts a new run with audio, since browsers allow it after a user gesture. */
interface Run extends PlayerRequest {
  readonly number: number;
}

export function PlayerPage({ name, address: page }: { name: string; address: URL }) {
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
