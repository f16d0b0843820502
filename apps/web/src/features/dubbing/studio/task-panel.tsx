import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { type DubbingProject, type DubbingStep, dubbingApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AiReason } from '../../../components/ai/ai-reason.tsx';
import { ConfirmDialog } from '../../../components/ui/feedback/confirm-dialog.tsx';
import { client } from '../../../lib/api.ts';
import { TaskProblem } from './task-problem.tsx';
import { TaskProgress } from './task-progress.tsx';
import { isWorking } from './task-query.ts';
import type { StudioDesk } from './use-studio.ts';

const steps: readonly DubbingStep[] = ['extract', 'asr', 'translating', 'tts'];

/** How far dubbing is, why it does not go on, and the buttons that start, pause and repeat it. */
export function TaskPanel({ project: { uuid }, studio }: { project: DubbingProject; studio: StudioDesk }) {
  const { t } = useTranslation();
  const { task, control, refusal } = studio;
  const [step, setStep] = useState<DubbingStep>('translating');
  const [isAsking, setIsAsking] = useState(false);
  const send = {
    start: () => client.call(dubbingApi.start, { uuid }),
    pause: () => client.call(dubbingApi.pause, { uuid }),
    restart: () => client.call(dubbingApi.restart, { uuid, step }),
  };
  const start = () => control.mutate(send.start);
  const works = task !== undefined && isWorking(task);
  return (
    <Stack gap="sm">
      {!task && (
        <Text size="sm" c="dimmed">
          {t('dubb.task.newText')}
        </Text>
      )}
      {task && <TaskProgress task={task} />}
      {task && <TaskProblem task={task} onRetry={start} />}
      {refusal && <AiReason cause={refusal} tone="bad" />}
      <Group gap="xs">
        {works ? (
          <Button variant="default" loading={control.isPending} onClick={() => control.mutate(send.pause)}>
            {t('dubb.task.pause')}
          </Button>
        ) : (
          task?.status !== 'done' && (
            <Button loading={control.isPending} onClick={start}>
              {t(task ? 'dubb.task.resume' : 'dubb.task.start')}
            </Button>
          )
        )}
        {task && (
          <Menu position="bottom-start" transitionProps={{ duration: 100 }}>
            <Menu.Target>
              <Button variant="default" disabled={control.isPending}>
                {t('dubb.task.restart')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {steps.map((one) => (
                <Menu.Item
                  key={one}
                  onClick={() => {
                    setStep(one);
                    setIsAsking(true);
                  }}
                >
                  {t(`dubb.task.step.${one}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <ConfirmDialog
        opened={isAsking}
        title={t('dubb.task.restartTitle', { step: t(`dubb.task.step.${step}`) })}
        text={t('dubb.task.restartText')}
        action={t('dubb.task.restartAction')}
        busy={control.isPending}
        onConfirm={() => control.mutate(send.restart, { onSettled: () => setIsAsking(false) })}
        onClose={() => setIsAsking(false)}
      />
    </Stack>
  );
}
