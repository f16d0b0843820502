import { Anchor, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LivePlayer } from '../../components/player/live-player.tsx';
import { openPlayback } from '../../components/player/playback/open-playback.ts';
import { openWhepWith } from '../../components/player/playback/whep-playback.ts';
import type { PlayerState } from '../../components/player/session/player-state.ts';
import { AddressForm } from '../address-form.tsx';
import { PageFrame } from '../page-frame.tsx';
import { startPage } from '../start-page.tsx';
import { lowLatencyHlsPage, toolLinks } from '../tool-links.ts';
import { parseOlderRtcRequest, parseRtcAddress, parseRtcRequest, type RtcRequest } from '../webrtc-address.ts';
import classes from './whep.module.css';

type Wanted = 'both' | 'video' | 'audio';

interface Run extends RtcRequest {
  readonly number: number;
}

/** Plays via WebRTC, which has the lowest latency of all. */
function WhepPage({ name, address: page }: { name: string; address: URL }) {
  const { t } = useTranslation();
  const [run, setRun] = useState<Run>(() => ({
    ...(name === 'rtc_player' ? parseOlderRtcRequest(page) : parseRtcRequest(page, 'whep')),
    number: 0,
  }));
  const [wanted, setWanted] = useState<Wanted>('both');
  const [session, setSession] = useState('');
  const [isSlow, setSlow] = useState(false);
  const onState = useCallback(
    ({ phase, statistics }: PlayerState) => setSlow(phase === 'playing' && statistics.isKeyframesOnly === true),
    [],
  );
  const read = parseRtcAddress(run.address, page, 'whep');
  const open = useMemo(
    () => ({
      ...openPlayback,
      whep: (request: Parameters<typeof openWhepWith>[0]) =>
        openWhepWith(request, { wants: wanted, onSession: setSession }),
    }),
    [wanted],
  );
  return (
    <PageFrame title={t('pages.whep')} links={toolLinks(name, page, (tool) => t(`pages.tool.${tool}`))}>
      <AddressForm
        label={t('pages.address')}
        placeholder={`${page.origin}/rtc/v1/whep/?app=live&stream=livestream`}
        action={t('player.play')}
        initial={run.address}
        error={'refusal' in read ? refusalText(read.refusal) : undefined}
        onSubmit={(address) => setRun({ address, autoStart: true, number: run.number + 1 })}
      />
      {'url' in read && (
        <LivePlayer
          key={`${run.number} ${wanted}`}
          sources={[{ kind: 'whep', url: read.url.href }]}
          title={run.address}
          autoStart={run.autoStart}
          startsMuted={run.number === 0}
          open={open}
          onState={onState}
          notice={isSlow && <SlowNotice url={read.url} />}
        />
      )}
      <div className={classes.row}>
        <SegmentedControl
          size="xs"
          aria-label={t('pages.receive')}
          value={wanted}
          transitionDuration={0}
          onChange={(value) => setWanted(value === 'video' || value === 'audio' ? value : 'both')}
          data={[
            { value: 'both', label: t('pages.receiveBoth') },
            { value: 'video', label: t('pages.receiveVideo') },
            { value: 'audio', label: t('pages.receiveAudio') },
          ]}
        />
        {session !== '' && <span className={classes.session}>{t('pages.session', { session })}</span>}
      </div>
    </PageFrame>
  );

  function refusalText(refusal: Extract<typeof read, { refusal: unknown }>['refusal']): string {
    if (refusal === 'path') return t('pages.wrongPath', { part: '/whep/' });
    return `${t(`player.failureTitle.${refusal}`)}. ${t(`player.failureText.${refusal}`)}`;
  }
}

/** Shown when the viewer's connection is too slow and the server sends keyframes only; offers low-latency HLS. */
function SlowNotice({ url }: { url: URL }) {
  const { t } = useTranslation();
  return (
    <p className={classes.notice} role="status">
      {t('pages.slowLine')}{' '}
      <Anchor inherit href={lowLatencyHlsPage(url)}>
        {t('pages.slowLineLink')}
      </Anchor>
    </p>
  );
}

await startPage(({ name, address }) => <WhepPage name={name} address={address} />);
