import { Group } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import { LogButton } from './log-button.tsx';
import { ProcessSince } from './process-since.tsx';
import { ProcessStateLabel } from './process-state-label.tsx';

interface ProcessStatusProps {
  report: ProcessReport;
  /** As the supervisor knows the program: `forward/wx`. */
  processKey: string;
  /** What it does, for those who cannot see where this stands. */
  title: string;
}

/** What a program does now, in one line: it stands beside the button that changes it. */
export function ProcessStatus({ report, processKey, title }: ProcessStatusProps) {
  return (
    <Group gap="sm">
      <Group gap={6} align="baseline">
        {/* Without the seconds behind it, which would be read out one by one. */}
        <span role="status">
          <ProcessStateLabel report={report} />
        </span>
        <ProcessSince report={report} />
      </Group>
      {report.starts > 0 && <LogButton processKey={processKey} title={title} />}
    </Group>
  );
}
