import { Anchor, Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { maskSecret } from '../mask-secret.ts';
import { PageFrame } from '../page-frame.tsx';
import { toolLinks } from '../tool-links.ts';
import { parseOlderRtcRequest, parseRtcAddress, parseRtcRequest } from '../webrtc-address.ts';
import { ChoicesPanel } from './choices-panel.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { usePublishSession } from './publishing/use-publish-session.ts';
import { buildWatchUrl } from './publishing/watch-address.ts';
import type { PublishPhase } from './publishing/whip-publisher.ts';
import { SelfView } from './self-view.tsx';
import { SenderStatistics } from './sender-statistics.tsx';
import classes from './whip-page.module.css';

const tones: Record<PublishPhase, Tone> = {
  off: 'off',
  connecting: 'busy',
  live: 'ok',
  reconnecting: 'warn',
  failed: 'bad',
};

/** Publishes camera, microphone or screen of this browser by WHIP. */
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

  // A link may start what it says here. It may not send somebody's camera to another machine: that takes a press.
  const startsAt = request.autoStart && !isForeign ? url?.href : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
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
            // Screens are shared, and this is the page from which they are.
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
