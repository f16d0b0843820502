import { Group, Progress, Stack, Text } from '@mantine/core';
import type { DubbingStatus, DubbingTask } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { formatDuration } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { isWorking } from './task-query.ts';

const tones: Partial<Record<DubbingStatus, Tone>> = { done: 'ok', failed: 'bad', paused: 'off' };

/** The step in words, how much is done, and how long the rest takes. */
export function TaskProgress({ task }: { task: DubbingTask }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { status, cause, secondsLeft } = task;
  const percent = Math.max(0, Math.min(100, Math.round(task.percent)));
  const tone = tones[status] ?? (cause === null ? 'busy' : 'warn');
  return (
    <Stack gap={6} role="status">
      <Group justify="space-between" gap="xs">
        <StatusLabel tone={tone} word={t(`dubbing.task.status.${status}`)} tinted />
        {status !== 'done' && (
          <Text size="sm">
            {t('dubbing.task.percent', { percent })}
            {isWorking(task) &&
              cause === null &&
              secondsLeft !== null &&
              ` · ${t('dubbing.task.left', { time: formatDuration(secondsLeft, locale) })}`}
          </Text>
        )}
      </Group>
      {status !== 'done' && <Progress value={percent} aria-label={t('dubbing.task.progress')} />}
    </Stack>
  );
}
