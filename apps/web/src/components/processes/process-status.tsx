import { Group } from '@mantine/core';
import type { ProcessReport } from '@weir/contract';
import { LogButton } from './log-button.tsx';
import { ProcessSince } from './process-since.tsx';
import { ProcessStateLabel } from './process-state-label.tsx';

interface ProcessStatusProps {
  report: ProcessReport;
  /** Supervisor key, such as `forward/wx`. */
  processKey: string;
  /** Label for screen readers. */
  title: string;
}

/** State of a process in one line, placed beside its start button. */
export function ProcessStatus({ report, processKey, title }: ProcessStatusProps) {
  return (
    <Group gap="sm">
      <Group gap={6} align="baseline">
        {/* The duration is outside, because screen readers would announce every second. */}
        <span role="status">
          <ProcessStateLabel report={report} />
        </span>
        <ProcessSince report={report} />
      </Group>
      {report.starts > 0 && <LogButton processKey={processKey} title={title} />}
    </Group>
  );
}
