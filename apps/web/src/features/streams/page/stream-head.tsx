import { Anchor, Button } from '@mantine/core';
import type { ActiveStream, EndedStream } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useEndedText } from '../../../components/streams/facts/use-ended-text.ts';
import type { Freshness } from '../../../components/ui/feedback/stale-chip.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { KickoffDialog } from '../kickoff-dialog.tsx';
import classes from './stream-page.module.css';

export function StreamsLink() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Anchor component={Link} to={localPath(`${paths.scenario}?tab=overview#live`)} size="sm" className={classes.back}>
      {t('streamPage.back')}
    </Anchor>
  );
}

interface OnAirLabelProps {
  live: ActiveStream | undefined;
  ended: EndedStream | undefined;
  freshness: Freshness;
}

export function OnAirLabel({ live, ended, freshness }: OnAirLabelProps) {
  const { t } = useTranslation();
  const endedText = useEndedText();
  if (freshness.failureCount > 0) return <StaleChip {...freshness} />;
  if (live) return <StatusLabel tone="ok" word={t('live.watch.live')} tinted />;
  return <StatusLabel tone="off" word={ended ? endedText(ended) : t('streamPage.offAir')} tinted />;
}

export function DisconnectButton({ stream }: { stream: ActiveStream }) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsAsking(true)}>
        {t('streamPage.disconnect')}
      </Button>
      <KickoffDialog stream={stream} opened={isAsking} onClose={() => setIsAsking(false)} />
    </>
  );
}
