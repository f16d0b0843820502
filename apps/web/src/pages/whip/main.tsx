import { Anchor, Button, NativeSelect, TextInput } from '@mantine/core';
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
import { startPage } from '../start-page.tsx';
import { buildWatchUrl, toolLinks } from '../tool-links.ts';
import { parseOlderRtcRequest, parseRtcAddress, parseRtcRequest } from '../webrtc-address.ts';
import { canCapture } from './publishing/capture.ts';
import {
  bitrates,
  frameRates,
  noDevice,
  type PublishChoices,
  qualityCounts,
  sizes,
  videoSources,
} from './publishing/publish-choices.ts';
import type { PublishFailure } from './publishing/publish-failure.ts';
import { closedState, PublishSession, type PublishSessionState } from './publishing/publish-session.ts';
import type { PublishPhase } from './publishing/whip-publisher.ts';
import { SelfView } from './self-view.tsx';
import classes from './whip.module.css';

const tones: Record<PublishPhase, Tone> = {
  off: 'off',
  connecting: 'busy',
  live: 'ok',
  reconnecting: 'warn',
  failed: 'bad',
};

/** Publishes this browser's camera, microphone or screen via WHIP. */
function WhipPage({ name, address: page }: { name: string; address: URL }) {
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

await startPage(({ name, address }) => <WhipPage name={name} address={address} />);

interface Devices {
  readonly cameras: readonly MediaDeviceInfo[];
  readonly microphones: readonly MediaDeviceInfo[];
}

const none: Devices = { cameras: [], microphones: [] };

/** Connected devices. Labels appear after permission was granted; `seen` changes when that may have happened. */
function useDevices(seen: unknown): Devices {
  const [devices, setDevices] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `seen` triggers a new enumeration
  useEffect(() => {
    const media = navigator.mediaDevices;
    if (!media?.enumerateDevices) return;
    let isGone = false;
    const look = async () => {
      const all = await media.enumerateDevices().catch(() => []);
      if (isGone) return;
      // Without permission browsers list one unnamed entry per kind.
      const named = all.filter(
        ({ deviceId }) => deviceId !== '' && deviceId !== 'default' && deviceId !== 'communications',
      );
      setDevices({
        cameras: named.filter(({ kind }) => kind === 'videoinput'),
        microphones: named.filter(({ kind }) => kind === 'audioinput'),
      });
    };
    look();
    media.addEventListener('devicechange', look);
    return () => {
      isGone = true;
      media.removeEventListener('devicechange', look);
    };
  }, [seen]);
  return devices;
}

/** Publish settings. All can change while live, except a track kind that the session was opened without. */
function ChoicesPanel({ state, session }: { state: PublishSessionState; session: PublishSession | undefined }) {
  const { t } = useTranslation();
  const { choices, media } = state;
  const { cameras, microphones } = useDevices(media);
  const choose = (part: Partial<PublishChoices>) => session?.choose(part);
  const isLive = state.phase === 'live' || state.phase === 'connecting' || state.phase === 'reconnecting';
  const hasPicture = choices.picture !== 'none';
  const isPictureFixed = session !== undefined && !session.canSwitch('video');
  const isSoundFixed = session !== undefined && !session.canSwitch('audio');
  const nameOf = ({ label }: MediaDeviceInfo, index: number, usual: string) => label || `${usual} ${index + 1}`;
  return (
    <div className={classes.choices}>
      <NativeSelect
        className={classes.wide}
        label={t('whip.picture')}
        value={choices.picture}
        disabled={!canCapture() || isPictureFixed}
        onChange={(event) => choose({ picture: pick(videoSources, event.currentTarget.value) })}
        data={videoSources.map((value) => ({ value, label: t(`whip.pictureSource.${value}`) }))}
      />
      {choices.picture === 'camera' && cameras.length > 0 && (
        <NativeSelect
          className={classes.wide}
          label={t('whip.camera')}
          value={known(cameras, choices.cameraId)}
          onChange={(event) => choose({ cameraId: event.currentTarget.value })}
          data={[
            { value: '', label: t('whip.usualDevice') },
            ...cameras.map((device, index) => ({
              value: device.deviceId,
              label: nameOf(device, index, t('whip.camera')),
            })),
          ]}
        />
      )}
      <NativeSelect
        className={classes.wide}
        label={t('whip.microphone')}
        value={choices.microphoneId === noDevice ? noDevice : known(microphones, choices.microphoneId)}
        disabled={!canCapture() || isSoundFixed}
        onChange={(event) => choose({ microphoneId: event.currentTarget.value })}
        data={[
          { value: '', label: t('whip.usualDevice') },
          ...microphones.map((device, index) => ({
            value: device.deviceId,
            label: nameOf(device, index, t('whip.microphone')),
          })),
          { value: noDevice, label: t('whip.noMicrophone') },
        ]}
      />
      {hasPicture && (
        <>
          <NativeSelect
            label={t('whip.size')}
            value={choices.size}
            onChange={(event) => choose({ size: pick(sizes, event.currentTarget.value) })}
            data={sizes.map((value) => ({ value, label: value.replace('x', ' × ') }))}
          />
          <NativeSelect
            label={t('whip.frameRate')}
            value={choices.frameRate}
            onChange={(event) => choose({ frameRate: pick(frameRates, event.currentTarget.value) })}
            data={frameRates.map((value) => ({ value, label: t('player.fps', { number: value }) }))}
          />
          <NativeSelect
            label={t('whip.bitrate')}
            value={choices.kbps}
            onChange={(event) => choose({ kbps: pick(bitrates, event.currentTarget.value) })}
            data={bitrates.map((value) => ({ value, label: `${Number(value) / 1000} Mbit/s` }))}
          />
          <NativeSelect
            className={classes.wide}
            label={t('whip.qualities')}
            description={t('whip.qualitiesHelp')}
            value={choices.qualities}
            disabled={isLive}
            onChange={(event) => choose({ qualities: pick(qualityCounts, event.currentTarget.value) })}
            data={qualityCounts.map((value) => ({ value, label: t(`whip.qualityCount.${value}`) }))}
          />
        </>
      )}
    </div>
  );
}

function pick<T extends string>(all: readonly T[], value: string): T {
  return all.find((candidate) => candidate === value) ?? (all[0] as T);
}

/** A stored device may be unplugged; the default is used then. */
function known(devices: readonly MediaDeviceInfo[], id: string): string {
  return devices.some(({ deviceId }) => deviceId === id) ? id : '';
}
