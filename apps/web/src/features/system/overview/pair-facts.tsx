import { Stack, Text } from '@mantine/core';
import type { Pair } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';

/** Which of the servers on one store leads, whether this is it, and who would take over. */
export function PairFacts({ pair: { asked, leader, standbys } }: { pair: Pair }) {
  const { t } = useTranslation();
  const isLeader = asked === 'leader';
  // One that runs by itself takes publishers, whichever server leads.
  const isSeparate = useEngineLacks('process');
  return (
    <Stack gap="xs" mt="md">
      <FactList
        facts={[
          {
            term: t('overview.pair.role'),
            value: (
              <>
                <StatusLabel
                  tone={isLeader ? 'ok' : 'off'}
                  word={isLeader ? t('overview.pair.leads') : t('overview.pair.waits')}
                />
                {!isLeader && (
                  <Text size="sm" c="dimmed">
                    {isSeparate ? t('overview.pair.waitsSeparateText') : t('overview.pair.waitsText')}
                  </Text>
                )}
              </>
            ),
          },
          { term: t('overview.pair.leader'), value: leader },
          { term: t('overview.pair.standby'), value: <Standbys standbys={standbys} /> },
        ]}
      />
    </Stack>
  );
}

function Standbys({ standbys }: { standbys: readonly string[] }) {
  const { t } = useTranslation();
  if (standbys.length > 0) return standbys.join(', ');
  return (
    <>
      <StatusLabel tone="warn" word={t('overview.pair.none')} />
      <Text size="sm" c="dimmed">
        {t('overview.pair.noneText')}
      </Text>
    </>
  );
}
