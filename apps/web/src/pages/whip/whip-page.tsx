import { Anchor, Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FigureGrid } from '../../components/figures/figure-grid.tsx';
import {
  formatBitrate,
  formatCodec,
  formatDelay,
  formatNumber,
  formatPercent,
} from '../../components/figures/format-figures.ts';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { httpsAddress } from '../../lib/https-address.ts';
import { useLocale } from '../../lib/i18n.ts';
import { maskSecret } from '../mask-secret.ts';
import { PageFrame } from '../page-frame.tsx';
import { buildWatchUrl, toolLinks } from '../tool-links.ts';
import { parseOlderRtcRequest, parseRtcAddress, parseRtcRequest } from '../webrtc-address.ts';
import { ChoicesPanel } from './choices-panel.tsx';
import type { PublishFailure } from './publishing/publish-failure.ts';
import { closedState, PublishSession, type PublishSessionState } from './publishing/publish-session.ts';
import type { PublishPhase } from './publishing/whip-publisher.ts';
import { SelfView } from './self-view.tsx';
import classes from './whip-page.module.css';

const tones: Record<PublishPhase, Tone> = {
  off: 'off',
  connecting: 'busy',
  live: 'ok',
  reconnecting: 'warn',
  failed: 'bad',
};

/** Publishes this browser's camera, microphone or screen via WHIP. */
export function WhipPage({ name, address: page }: { name: string; address: URL }) {
  const { t } = useTranslation();
  const [request] = useState(() =>
    name === 'rtc_publisher' ? parseOlderRtcRequest(page) : parseRtcRequest(page, 'whip'),
  );
  const [address, setAddress] = useState(request.address);
  const [isEditing, setIsEditing] = useState(false);
  const { session, state } = usePublishSession();
  const read = parseRtcAddress(address, page, 'whip');
  const url = 'url' in read ? read.url : undefined;
  const isForeign = url !== undefined && url.hostname !== page.hostname;
  const isRunning = state.phase === 'connecting' || state.phase === 'live' || state.phase === 'reconnecting';

  // A link may start publishing to this server, but sending a camera to another host needs a press of the button.
  const startsAt = request.autoStart && !isForeign ? url?.href : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the page opens
  useEffect(() => {
    if (startsAt !== undefined) session?.goLive(startsAt);
  }, [session]);

  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isRunning]);

  return (
    <PageFrame title={t('whip.title')} links={toolLinks(name, page, (tool) => t(`pages.tool.${tool}`))}>
      {state.failure && <FailureNotice failure={state.failure} page={page} />}
      <div className={classes.columns}>
        <div className={classes.column}>
          <SelfView
            state={state}
            onPreview={() => session?.preview()}
            onTurn={(kind, off) => session?.setOff(kind, off)}
          />
          <div className={classes.actions}>
            {isRunning ? (
              <Button color="red.8" onClick={() => session?.stop()}>
                {t('whip.stop')}
              </Button>
            ) : (
              <Button disabled={!url} loading={state.isBusy} onClick={() => url && session?.goLive(url.href)}>
                {t('whip.start')}
              </Button>
            )}
            <span role="status">
              <StatusLabel tone={tones[state.phase]} word={t(`whip.phase.${state.phase}`)} tinted />
            </span>
            {url && (
              <Anchor
                size="sm"
                className={classes.watch}
                href={buildWatchUrl(url, page)}
                target="_blank"
                rel="noreferrer"
              >
                {t('whip.watch')}
              </Anchor>
            )}
          </div>
          {isRunning && <SenderStatistics state={state} />}
        </div>
        <div className={classes.column}>
          <ChoicesPanel state={state} session={session} />
          <TextInput
            label={t('whip.address')}
            classNames={{ input: classes.address }}
            description={isForeign ? undefined : t('whip.addressHelp')}
            // Masked, because users may share this very screen.
            value={isEditing ? address : maskSecret(address)}
            onFocus={() => setIsEditing(true)}
            onBlur={() => setIsEditing(false)}
            disabled={isRunning}
            spellCheck={false}
            autoComplete="off"
            inputMode="url"
            error={'refusal' in read ? refusalText(read.refusal) : undefined}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          {isForeign && (
            <p className={classes.foreign} role="alert">
              {t('whip.foreign', { host: url.host })}
            </p>
          )}
        </div>
      </div>
    </PageFrame>
  );

  function refusalText(refusal: Extract<typeof read, { refusal: unknown }>['refusal']): string {
    if (refusal === 'path') return t('pages.wrongPath', { part: '/whip/' });
    if (refusal === 'mixed') return t('whip.mixed');
    return t(`player.failureText.${refusal === 'empty' ? 'address' : refusal}`);
  }
}

/** Strict mode mounts twice, so the session is closed on unmount and no camera stays open. */
function usePublishSession(): { session: PublishSession | undefined; state: PublishSessionState } {
  const [session, setSession] = useState<PublishSession>();
  const [state, setState] = useState(closedState);
  useEffect(() => {
    const own = new PublishSession(setState);
    setSession(own);
    return () => own.close();
  }, []);
  return { session, state };
}

function FailureNotice({ failure: { kind, detail }, page }: { failure: PublishFailure; page: URL }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <p className={classes.title}>{t(`whip.failureTitle.${kind}`)}</p>
      <p>{t(`whip.failureText.${kind}`)}</p>
      {kind === 'insecure' && <HttpsLink page={page} />}
      {detail && <p className={classes.detail}>{t('player.said', { detail })}</p>}
    </div>
  );
}

function HttpsLink({ page }: { page: URL }) {
  const { t } = useTranslation();
  const address = httpsAddress(page, useHttpsPort());
  return (
    <p>
      <Anchor href={address.href} size="sm">
        {t('whip.openHttps', { host: address.host })}
      </Anchor>
    </p>
  );
}

/** Sender statistics, updated every second. */
function SenderStatistics({ state: { sent, session } }: { state: PublishSessionState }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const codecs = [formatCodec(sent.videoCodec ?? ''), sent.audioCodec].filter(Boolean).join(' · ');
  return (
    <>
      <FigureGrid
        label={t('whip.figures')}
        figures={[
          [t('player.bitrate'), formatBitrate(sent.bitrateKbps, locale)],
          [t('player.resolution'), sent.width && sent.height ? `${sent.width} × ${sent.height}` : undefined],
          [
            t('player.frameRate'),
            sent.fps === undefined ? undefined : t('player.fps', { number: formatNumber(sent.fps, locale) }),
          ],
          [t('player.roundTrip'), formatDelay(sent.roundTripMs, locale)],
          [t('player.loss'), formatPercent(sent.lossPercent, locale)],
          [t('player.codecs'), codecs || undefined],
        ]}
      />
      {sent.limitedBy === 'cpu' && <p className={classes.note}>{t('whip.limitedByCpu')}</p>}
      {sent.limitedBy === 'bandwidth' && <p className={classes.note}>{t('whip.limitedByBandwidth')}</p>}
      {session !== '' && <p className={classes.session}>{t('pages.session', { session })}</p>}
    </>
  );
}

const environmentPath = '/terraform/v1/mgmt/envs';

/** HTTPS port of the server; empty for the default port or while unknown. */
function useHttpsPort(): string {
  const [port, setPort] = useState('');
  useEffect(() => {
    const gone = new AbortController();
    fetch(environmentPath, { method: 'POST', body: '{}', signal: gone.signal })
      .then((response) => response.json())
      .then((answer: { data?: { httpsPort?: unknown } }) => {
        const named = answer.data?.httpsPort;
        if (typeof named === 'string' && /^\d{1,5}$/.test(named)) setPort(named);
      })
      // Falls back to the default port.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return port;
}
