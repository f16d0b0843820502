import { Button, Text } from '@mantine/core';
import type { DubbingTask } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { formatPosition } from '../../../lib/format.ts';
import { isWorking } from './task-query.ts';

/** Why it waits or failed, what to do, and the parts of the film in which nothing was understood. */
export function TaskProblem({ task, onRetry }: { task: DubbingTask; onRetry: () => void }) {
  const { t } = useTranslation();
  const { cause, failure, status, missing } = task;
  const waits = isWorking(task) && cause !== null;
  const times = missing.map(({ start, end }) => `${formatPosition(start)}–${formatPosition(end)}`).join(', ');
  const retry = (
    <Button size="xs" variant="default" onClick={onRetry}>
      {t('dubbing.task.tryNow')}
    </Button>
  );
  return (
    <>
      {cause !== null && (
        <AiReason cause={cause} tone={waits ? 'warn' : 'bad'}>
          {status === 'failed' && <Text size="sm">{t('dubbing.task.kept')}</Text>}
          {waits && <Text size="sm">{t('dubbing.task.waiting')}</Text>}
          {waits && retry}
        </AiReason>
      )}
      {cause === null && status === 'failed' && (
        <Notice tone="bad" title={t('dubbing.task.failed')}>
          <p>
            {t(`dubbing.failure.${failure || 'failed'}`)} {t('dubbing.task.kept')}
          </p>
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice tone="warn" title={t('dubbing.task.missing', { count: missing.length, times })}>
          {!isWorking(task) && retry}
        </Notice>
      )}
    </>
  );
}
