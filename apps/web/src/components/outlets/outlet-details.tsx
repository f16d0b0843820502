import { Text } from '@mantine/core';
import type { OutletRow } from '@weir/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProcessFigures } from '../processes/process-numbers.tsx';
import { ProcessReason } from '../processes/process-reason.tsx';
import classes from './outlet-details.module.css';

interface OutletDetailsProps {
  title: string;
  row: OutletRow | undefined;
  /** More about the source. */
  facts: ReactNode;
  /** Hint while there is nothing to send. */
  waiting: string;
  preview: (stream: string) => ReactNode;
  /** True if the row shows cause and remedy already. */
  hasRemedy: boolean;
}

/** Opened row: source, statistics, and the result where it is a stream of this server. */
export function OutletDetails({ title, row, facts, waiting, preview, hasRemedy }: OutletDetailsProps) {
  const { t } = useTranslation();
  const report = row?.process;
  return (
    <div className={classes.columns}>
      <div className={classes.facts}>
        {facts}
        {report && !hasRemedy && <ProcessReason report={report} />}
        {report?.state === 'waiting' && (
          <Text size="sm" c="dimmed">
            {waiting}
          </Text>
        )}
        {report?.numbers && <ProcessFigures title={title} numbers={report.numbers} starts={report.starts} />}
        {report?.failure && hasRemedy && report.failure.detail !== '' && (
          <code className={classes.detail}>{report.failure.detail}</code>
        )}
        {row && report?.state === 'off' && (
          <Text size="sm" c="dimmed">
            {t('plat.com.offText')}
          </Text>
        )}
      </div>
      {row?.outputStream !== undefined && report?.state === 'live' && (
        <div className={classes.preview}>
          <Text size="sm" fw={500} mb={4}>
            {t('plat.com.preview', { stream: row.outputStream })}
          </Text>
          {preview(row.outputStream)}
        </div>
      )}
    </div>
  );
}
