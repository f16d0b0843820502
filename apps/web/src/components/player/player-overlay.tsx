import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPlayerPlay } from './icons.ts';
import classes from './player-overlay.module.css';
import type { PlayerState } from './session/player-state.ts';

interface PlayerOverlayProps {
  state: PlayerState;
  idle?: ReactNode;
  onPlay: () => void;
}

/** State over the video area while nothing plays, with reason and remedy. */
export function PlayerOverlay({ state, idle, onPlay }: PlayerOverlayProps) {
  const { t } = useTranslation();
  const { phase, failure, needsGesture } = state;
  if (phase === 'playing') return null;
  if (phase === 'stalled') {
    return (
      <div className={classes.overlay} role="status">
        <Loader size="sm" color="gray.0" aria-hidden />
        <p className={classes.text}>{t('player.stalled')}</p>
      </div>
    );
  }
  if (phase === 'loading') {
    return (
      <div className={classes.overlay} role="status">
        <Loader size="sm" color="gray.0" aria-hidden />
        <p className={classes.text}>{t('player.loading')}</p>
      </div>
    );
  }
  if (failure && (phase === 'waiting' || phase === 'failed')) {
    return (
      <div className={classes.overlay} role={phase === 'failed' ? 'alert' : 'status'} data-dim>
        {phase === 'waiting' && <Loader size="sm" color="gray.0" aria-hidden />}
        <p className={classes.title}>{t(`player.failureTitle.${failure.kind}`)}</p>
        <p className={classes.text}>{t(`player.failureText.${failure.kind}`)}</p>
        {failure.detail && <p className={classes.detail}>{t('player.said', { detail: failure.detail })}</p>}
        {phase === 'failed' && (
          <Button size="xs" variant="white" onClick={onPlay}>
            {t('player.again')}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className={classes.overlay} data-dim={needsGesture || undefined}>
      {phase === 'idle' && idle}
      <button type="button" className={classes.play} onClick={onPlay} aria-label={t('player.play')}>
        <IconPlayerPlay size={36} aria-hidden />
      </button>
      {needsGesture && <p className={classes.text}>{t('player.needsGesture')}</p>}
      {phase === 'ended' && <p className={classes.text}>{t('player.finished')}</p>}
    </div>
  );
}
