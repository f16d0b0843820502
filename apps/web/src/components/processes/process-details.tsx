import { Stack } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import type { ReactNode } from 'react';
import { ProcessFigures } from './process-numbers.tsx';
import { ProcessReason } from './process-reason.tsx';

interface ProcessDetailsProps {
  report: ProcessReport;
  /** What it does, for those who cannot see where this stands. */
  title: string;
  /** What helps while there is nothing to take media from. */
  children?: ReactNode;
}

/** Why a program is not as it should be and what to do, or how it goes. Its state stands elsewhere. */
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
