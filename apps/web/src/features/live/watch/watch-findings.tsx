import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Guide } from '../../../components/guide/use-guide.ts';
import { StreamFacts } from '../../../components/streams/facts/stream-facts.tsx';
import { StreamFigures } from '../../../components/streams/facts/stream-figures.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { NextSteps } from './next-steps.tsx';
import classes from './stream-watch.module.css';
import type { WatchState } from './watch-state.ts';

/** What arrives, or while nothing does the two values that change that soonest. */
export function WatchFindings({ state, guide }: { state: WatchState; guide: Guide }) {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'unknown':
      return <Text size="sm">{t('live.watch.unknown')}</Text>;
    case 'waiting':
      return (
        <>
          {!state.refused && !state.ended && <Text size="sm">{t('live.watch.waitingText')}</Text>}
          <CopyField label={t('live.watch.server')} value={guide.addresses.rtmpServer} />
          <CopyField label={t('live.watch.key')} value={guide.addresses.rtmpStreamKey} secret={guide.secret} />
        </>
      );
    case 'live':
      return (
        <>
          <StreamFigures stream={state.stream} />
          <NextSteps guide={guide} stream={state.stream} />
          <details className={classes.details}>
            <summary>{t('live.facts.details')}</summary>
            <StreamFacts stream={state.stream} />
          </details>
        </>
      );
  }
}
