import { Anchor } from '@mantine/core';
import type { componentsApi, DataOf } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { formatBytes, formatDateTime } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { paths, useLocalPath } from '../../../lib/paths.ts';

type AiProcess = DataOf<typeof componentsApi.query>['ai'];

/** The process of built-in AI, which runs only while somebody needs it. */
export function AiCard({ process }: { process: AiProcess }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const localPath = useLocalPath();
  const { pid, memoryBytes, starts, lastExit, installed } = process;
  const { tone, word } = describeState(process);
  const exit = lastExit && { time: formatDateTime(new Date(lastExit.at)), reason: lastExit.reason };
  return (
    <Section
      anchor="ai"
      title={t('coms.ai.title')}
      help={t('coms.ai.help')}
      state={<StatusLabel tone={tone} word={t(word)} tinted />}
    >
      {installed && (
        <FactList
          facts={[
            { term: t('coms.pid'), value: pid || '–' },
            { term: t('coms.memory'), value: memoryBytes === null ? '–' : formatBytes(memoryBytes, locale) },
            { term: t('coms.ai.starts'), value: starts },
            { term: t('coms.lastExit'), value: exit ? t('coms.ai.exit', exit) : t('coms.never') },
          ]}
        />
      )}
      <Anchor
        component={Link}
        to={localPath(`${paths.settings}?tab=llm`)}
        size="sm"
        mt={installed ? 'md' : 0}
        display="inline-block"
      >
        {t('ai.settings')}
      </Anchor>
    </Section>
  );
}

function describeState({ phase, installed }: AiProcess) {
  if (!installed) return { tone: 'off' as Tone, word: 'coms.ai.absent' as const };
  return states[phase];
}

const states = {
  running: { tone: 'ok', word: 'coms.running' },
  starting: { tone: 'busy', word: 'coms.ai.starting' },
  stopped: { tone: 'off', word: 'coms.ai.idle' },
  'backing-off': { tone: 'bad', word: 'coms.ai.failing' },
} as const satisfies Record<AiProcess['phase'], { tone: Tone; word: string }>;
