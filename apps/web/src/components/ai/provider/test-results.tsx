import { Text } from '@mantine/core';
import type { AiTestResult } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { joinSentences } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { formatDelay } from '../../figures/format-figures.ts';
import { StatusLabel } from '../../ui/feedback/status-label.tsx';
import classes from '../ai.module.css';

/** Working capabilities with model and speed, and reasons for the others. */
export function TestResults({ results }: { results: readonly AiTestResult[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <ul className={classes.results} aria-label={t('llm.testResults')}>
      {results.map(({ need, works, model, cause, delayMs }) => (
        <li key={need} className={classes.result}>
          <StatusLabel
            tone={works ? 'ok' : 'bad'}
            word={t(works ? 'llm.works' : 'llm.fails', { need: t(`llm.need.${need}`) })}
          />
          <Text size="sm" c="dimmed">
            {cause
              ? joinSentences([t(`ai.why.${cause}`), t(`ai.remedy.${cause}`)], locale)
              : [model, formatDelay(delayMs, locale)].join(' · ')}
          </Text>
        </li>
      ))}
    </ul>
  );
}
