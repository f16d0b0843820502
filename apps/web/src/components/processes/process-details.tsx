import { Stack } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import type { ReactNode } from 'react';
import { ProcessFigures } from './process-numbers.tsx';
import { ProcessReason } from './process-reason.tsx';

interface ProcessDetailsProps {
  report: ProcessReport;
  /** Label for screen readers. */
  title: string;
  /** Hint while there is no input. */
  children?: ReactNode;
}

/** Problem and remedy of a process, or its figures. The state itself is shown elsewhere. */
export function ProcessDetails({ report, title, children }: ProcessDetailsProps) {
  const { numbers, starts, state } = report;
  return (
    <Stack gap="sm">
      <ProcessReason report={report} />
      {state === 'waiting' && children}
      {numbers && <ProcessFigures title={title} numbers={numbers} starts={starts} />}
    </Stack>
  );
}
