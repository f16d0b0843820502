import { Button } from '@mantine/core';
import type { ActiveStream, PublishAttempt } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { protocolName } from '../../components/streams/facts/protocol-name.ts';
import { saveStreamName } from '../../components/streams/stream-name.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { formatAgo, formatClock } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import classes from './stream-watch.module.css';
import type { WatchState } from './watch-state.ts';

/** Publishers announce codecs at once; the first keyframe may take longer. */
const codecsWithinMs = 6000;

/** Reasons why the stream is missing, announced to screen readers. */
export function WatchNotices({ state, name }: { state: WatchState; name: string }) {
  const refused = state.kind === 'unknown' ? undefined : state.refused;
  return (
    <div className={classes.notices} aria-live="polite">
      {refused && <Refusal attempt={refused} isOther={refused.stream !== name} />}
      {state.kind === 'waiting' && state.elsewhere && <Elsewhere stream={state.elsewhere} />}
      {state.kind === 'live' && <CodecNotice key={state.stream.client_id} stream={state.stream} />}
      {state.kind === 'live' && state.stream.media?.webrtc?.video === 'converted' && <BFramesNotice />}
    </div>
  );
}

function Refusal({ attempt, isOther }: { attempt: PublishAttempt; isOther: boolean }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { reason, protocol, address, count, at, key = '', keyEndedAt } = attempt;
  const facts = { key, when: keyEndedAt ? formatAgo(new Date(keyEndedAt), new Date(), locale) : '' };
  return (
    <Notice tone={isOther || reason === 'in-use' ? 'warn' : 'bad'} title={t(`live.refused.${reason}`, facts)}>
      <p>{t(`live.refusedText.${reason}`, facts)}</p>
      {isOther && <p>{t('live.watch.otherName', { name: streamLabel(attempt) })}</p>}
      <p>
        {t('live.watch.attempt', {
          protocol: protocolName(protocol),
          address,
          count,
          time: formatClock(new Date(at)),
        })}
      </p>
    </Notice>
  );
}

/** Usually a mistyped name, or one from before it was changed here. */
function Elsewhere({ stream }: { stream: ActiveStream }) {
  const { t } = useTranslation();
  const name = streamLabel(stream);
  return (
    <Notice tone="info" title={t('live.watch.elsewhere', { name })}>
      <p>{t('live.watch.elsewhereText')}</p>
      <Button size="xs" variant="default" onClick={() => saveStreamName(stream.stream)}>
        {t('live.watch.take', { name })}
      </Button>
    </Notice>
  );
}

/** B-frames work, but re-encoding them for WebRTC takes a CPU core and is easy to avoid. */
function BFramesNotice() {
  const { t } = useTranslation();
  return (
    <Notice tone="info" title={t('live.bFrames.title')}>
      <p>{t('live.bFrames.text')}</p>
    </Notice>
  );
}

/** The publisher is connected, but its codecs are not supported. */
function CodecNotice({ stream }: { stream: ActiveStream }) {
  const { t } = useTranslation();
  const [isLate, setIsLate] = useState(false);
  const hasTracks = !stream.media || stream.media.video !== null || stream.media.audio !== null;
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), codecsWithinMs);
    return () => clearTimeout(timer);
  }, []);
  if (hasTracks || !isLate) return null;
  return (
    <Notice tone="bad" title={t('live.watch.codec')}>
      <p>{t('live.watch.codecText')}</p>
    </Notice>
  );
}
