import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { StreamKeyRow } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { StreamKeyItem } from './stream-key-item.tsx';
import { StreamKeySheet } from './stream-key-sheet.tsx';
import { StreamKeyValue } from './stream-key-value.tsx';
import classes from './stream-keys.module.css';
import { streamKeysQuery } from './stream-keys-query.ts';

/** A key and its value, which is known while this page is open only. */
export interface ShownKey {
  readonly key: StreamKeyRow;
  readonly secret: string;
}

export function StreamKeysPanel() {
  const { t } = useTranslation();
  const query = useQuery(streamKeysQuery);
  const [edited, setEdited] = useState<StreamKeyRow | 'new'>();
  // Each opening begins with its own fields.
  const [turn, setTurn] = useState(0);
  const [shown, setShown] = useState<ShownKey>();
  const open = (key: StreamKeyRow | 'new') => {
    setEdited(key);
    setTurn(turn + 1);
  };
  const keys = query.data?.keys;
  const add = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      variant={keys?.length === 0 ? 'default' : 'filled'}
      onClick={() => open('new')}
    >
      {t('settings.keys.add')}
    </Button>
  );
  return (
    <Section
      title={t('settings.keys.title')}
      help={t('settings.keys.help')}
      anchor="stream-keys"
      state={query.failureCount > 0 ? <StaleChip {...query} /> : keys && keys.length > 0 && add}
    >
      {!keys && <PageSkeleton />}
      {keys?.length === 0 && (
        <EmptyState title={t('settings.keys.none')} text={t('settings.keys.noneText')}>
          <div className={classes.first}>{add}</div>
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <ul className={classes.list} aria-label={t('settings.keys.title')}>
          {keys.map((key) => (
            <StreamKeyItem key={key.uuid} streamKey={key} onEdit={() => open(key)} onValue={setShown} />
          ))}
        </ul>
      )}
      <StreamKeySheet
        key={turn}
        streamKey={edited === 'new' ? undefined : edited}
        opened={edited !== undefined}
        onMade={setShown}
        onClose={() => setEdited(undefined)}
      />
      {shown && <StreamKeyValue shown={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}
