import { Group, Stack, Text } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import type { ReactNode } from 'react';
import { LogButton } from './log-button.tsx';
import { ProcessFigures } from './process-numbers.tsx';
import { ProcessReason } from './process-reason.tsx';
import { ProcessSince } from './process-since.tsx';
import { ProcessStateLabel, useStateWord } from './process-state-label.tsx';

interface ProcessStateProps {
  report: ProcessReport;
  /** As the supervisor knows the program: `forward/wx`. */
  processKey: string;
  /** What it does, for those who cannot see where this stands. */
  title: string;
  /** The word stands in the heading above already: here it is plain, so that it does not shout twice. */
  isLabelled?: boolean;
  /** What helps while there is nothing to take media from. */
  children?: ReactNode;
}

/** Everything there is to know of a program that runs for the owner: state, since when, why, what to do, figures, log. */
export function ProcessState({ report, processKey, title, isLabelled = false, children }: ProcessStateProps) {
  const { numbers, starts, state } = report;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Group gap={4} align="baseline">
          {/* Without the seconds behind it, which would be read out one by one. */}
          <span role="status">
            {isLabelled ? <PlainWord report={report} /> : <ProcessStateLabel report={report} />}
          </span>
          <ProcessSince report={report} />
        </Group>
        {starts > 0 && <LogButton processKey={processKey} title={title} />}
      </Group>
      <ProcessReason report={report} />
      {state === 'waiting' && children}
      {numbers && <ProcessFigures title={title} numbers={numbers} starts={starts} />}
    </Stack>
  );
}

function PlainWord({ report }: { report: ProcessReport }) {
  return (
    <Text size="sm" c="dimmed" component="span">
      {useStateWord(report)}
    </Text>
  );
}
