import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import {
  type DubbingProject,
  type DubbingStatus,
  type DubbingStep,
  type DubbingTask,
  dubbingApi,
  dubbingSteps,
} from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { StatusLabel, type Tone } from '../../../components/ui/feedback/status-label.tsx';
import { client } from '../../../lib/api.ts';
import { formatDuration, formatPosition } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { isWorking } from './task-query.ts';
import type { StudioModel } from './use-studio.ts';

export function TaskPanel({ project: { uuid }, studio }: { project: DubbingProject; studio: StudioModel }) {
  const { t } = useTranslation();
  const { task, control, refusal } = studio;
  const [step, setStep] = useState<DubbingStep>('translating');
  const [asking, setAsking] = useState<'restart' | 'cancel'>();
  const send = {
    start: () => client.call(dubbingApi.start, { uuid }),
    pause: () => client.call(dubbingApi.pause, { uuid }),
    cancel: () => client.call(dubbingApi.cancel, { uuid }),
    restart: () => client.call(dubbingApi.restart, { uuid, step }),
  };
  const start = () => control.mutate(send.start);
  const works = task !== undefined && isWorking(task);
  const confirm = (act: () => Promise<unknown>) => ({
    busy: control.isPending,
    onConfirm: () => control.mutate(act, { onSettled: () => setAsking(undefined) }),
    onClose: () => setAsking(undefined),
  });
  return (
    <Stack gap="sm">
      {!task && (
        <Text size="sm" c="dimmed">
          {t('dubbing.task.newText')}
        </Text>
      )}
      {task && <TaskProgress task={task} />}
      {task && <TaskProblem task={task} onRetry={start} />}
      {refusal && <AiReason cause={refusal} tone="bad" />}
      <Group gap="xs">
        {works ? (
          <Button variant="default" loading={control.isPending} onClick={() => control.mutate(send.pause)}>
            {t('dubbing.task.pause')}
          </Button>
        ) : (
          task?.status !== 'done' && (
            <Button loading={control.isPending} onClick={start}>
              {t(task ? 'dubbing.task.resume' : 'dubbing.task.start')}
            </Button>
          )
        )}
        {task && (
          <Menu position="bottom-start" transitionProps={{ duration: 100 }}>
            <Menu.Target>
              <Button variant="default" disabled={control.isPending}>
                {t('dubbing.task.restart')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {dubbingSteps.map((one) => (
                <Menu.Item
                  key={one}
                  onClick={() => {
                    setStep(one);
                    setAsking('restart');
                  }}
                >
                  {t(`dubbing.task.step.${one}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {task && task.status !== 'done' && (
          <Button variant="default" disabled={control.isPending} onClick={() => setAsking('cancel')}>
            {t('dubbing.task.cancel')}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        opened={asking === 'restart'}
        title={t('dubbing.task.restartTitle', { step: t(`dubbing.task.step.${step}`) })}
        text={t('dubbing.task.restartText')}
        action={t('dubbing.task.restartAction')}
        {...confirm(send.restart)}
      />
      <ConfirmDialog
        opened={asking === 'cancel'}
        title={t('dubbing.task.cancel')}
        text={t('dubbing.task.cancelText')}
        action={t('dubbing.task.cancelAction')}
        {...confirm(send.cancel)}
      />
    </Stack>
  );
}

function TaskProblem({ task, onRetry }: { task: DubbingTask; onRetry: () => void }) {
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

const tones: Partial<Record<DubbingStatus, Tone>> = { done: 'ok', failed: 'bad', paused: 'off' };

export function statusTone(status: DubbingStatus): Tone {
  return tones[status] ?? 'busy';
}

function TaskProgress({ task }: { task: DubbingTask }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { status, cause, secondsLeft } = task;
  const percent = Math.max(0, Math.min(100, Math.round(task.percent)));
  const tone = cause !== null && isWorking(task) ? 'warn' : statusTone(status);
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
