import { Text } from '@mantine/core';
import type { ActiveStream, Diagnosis } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { IssueList } from '../../../components/diagnosis/issue-list.tsx';
import { VerdictLabel } from '../../../components/diagnosis/verdict-label.tsx';
import type { Guide } from '../../../components/guide/use-guide.ts';
import type { PlayerState } from '../../../components/player/session/player-state.ts';
import { StreamFacts } from '../../../components/streams/facts/stream-facts.tsx';
import { StreamFigures } from '../../../components/streams/facts/stream-figures.tsx';
import { PreviewPlayer } from '../../../components/streams/preview-player.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { DisconnectButton } from './stream-head.tsx';
import classes from './stream-page.module.css';

interface LivePicturePanelProps {
  live: ActiveStream | undefined;
  diagnosis: Diagnosis | undefined;
  /** Undefined until the playback abilities of this browser are known. */
  guide: Guide | undefined;
  onState: (state: PlayerState) => void;
}

export function LivePicturePanel({ live, diagnosis, guide, onState }: LivePicturePanelProps) {
  const { t } = useTranslation();
  const isMeasured = !useEngineLacks('measurements');
  if (!live) {
    return (
      <div className={classes.offAir}>
        <p className={classes.offAirTitle}>{t('streamPage.offAirTitle')}</p>
        <p>{t('streamPage.offAirText')}</p>
      </div>
    );
  }
  const frame = <div className={classes.frame} />;
  return (
    <div className={classes.now}>
      <div className={classes.verdict} aria-live="polite">
        {isMeasured ? (
          <Verdict diagnosis={diagnosis} />
        ) : (
          <Text size="sm" c="dimmed">
            {t('streamPage.notJudged')}
          </Text>
        )}
      </div>
      <div className={classes.picture}>
        {guide ? (
          <PreviewPlayer
            stream={live}
            publisher={live.client_id}
            hasWhep={guide.rtcOffer.kind === 'ready' && guide.rtc.canPlay}
            showsStatistics
            onState={onState}
            pending={frame}
          />
        ) : (
          frame
        )}
      </div>
      <div className={classes.side}>
        <StreamFigures stream={live} />
        <StreamFacts stream={live} />
        <div>
          <DisconnectButton stream={live} />
        </div>
      </div>
    </div>
  );
}

/** Verdict and its causes. A stream has none in its first seconds. */
function Verdict({ diagnosis }: { diagnosis: Diagnosis | undefined }) {
  const { t } = useTranslation();
  if (!diagnosis || diagnosis.verdict === 'none') {
    return <StatusLabel tone="busy" word={t('live.facts.measuring')} tinted />;
  }
  const { verdict, issues } = diagnosis;
  return (
    <>
      <VerdictLabel verdict={verdict} tinted />
      {issues.length > 0 ? (
        <IssueList issues={issues} />
      ) : (
        <Text size="sm" mt={6}>
          {t('streamPage.good')}
        </Text>
      )}
    </>
  );
}
