import { Stack, Text } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { joinSentences } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { useNextTry } from './process-reason.tsx';
import { ProcessSince } from './process-since.tsx';
import { ProcessStateLabel } from './process-state-label.tsx';

/** State for table rows: label, duration and any problem. */
export function ProcessSummary({ report }: { report: ProcessReport }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const next = useNextTry(report);
  const { state, failure } = report;
  return (
    <Stack gap={2}>
      <ProcessStateLabel report={report} tinted={false} />
      <ProcessSince report={report} />
      {failure && state !== 'live' && (
        <Text size="xs" c="dimmed">
          {joinSentences([t(`process.why.${failure.cause}`), t(`process.remedy.${failure.cause}`), next], locale)}
        </Text>
      )}
    </Stack>
  );
}
