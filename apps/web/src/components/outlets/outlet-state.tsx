import { Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import { LogButton } from '../processes/log-button.tsx';
import { ProcessFigures } from '../processes/process-numbers.tsx';
import { ProcessReason } from '../processes/process-reason.tsx';
import { ProcessSince } from '../processes/process-since.tsx';
import { ProcessStateLabel } from '../processes/process-state-label.tsx';

interface OutletStateProps {
  report: ProcessReport;
  processKey: string;
  title: string;
  /** What helps while there is nothing to send. */
  waiting: string | undefined;
}

/** What a slot does, below the word for it that stands at the head of its panel. Nothing while it never did anything. */
export function OutletState({ report, processKey, title, waiting }: OutletStateProps) {
  const { state, starts, numbers } = report;
  if (state === 'off' && starts === 0) return null;
  return (
    <Stack gap="sm">
      <Group gap="sm" role="status">
        <VisuallyHidden>
          <ProcessStateLabel report={report} />
        </VisuallyHidden>
        <ProcessSince report={report} />
        {starts > 0 && <LogButton processKey={processKey} title={title} />}
      </Group>
      <ProcessReason report={report} />
      {state === 'waiting' && waiting && (
        <Text size="sm" c="dimmed">
          {waiting}
        </Text>
      )}
      {numbers && <ProcessFigures title={title} numbers={numbers} starts={starts} />}
    </Stack>
  );
}
