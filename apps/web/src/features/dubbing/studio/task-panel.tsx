import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { type DubbingProject, type DubbingStep, dubbingApi, dubbingSteps } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../../lib/api.ts';
import { TaskProblem } from './task-problem.tsx';
import { TaskProgress } from './task-progress.tsx';
import { isWorking } from './task-query.ts';
import type { StudioModel } from './use-studio.ts';

/** How far dubbing is, why it does not go on, and the buttons that start, pause and repeat it. */
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
