import { Button, Group, Modal, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { processApi, processTimes } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { useCopy } from '../../lib/notify.ts';
import { pollWhileSignedIn } from '../../lib/queries/polling.ts';
import { StaleChip } from '../ui/feedback/stale-chip.tsx';
import classes from './processes.module.css';

interface LogButtonProps {
  /** Supervisor key, such as `forward/wx`. */
  processKey: string;
  /** Title of the dialog. */
  title: string;
}

/** Shows the recent log of a process. */
export function LogButton({ processKey, title }: LogButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('process.log.openOf', { title })}
        onClick={() => setIsOpen(true)}
      >
        {t('process.log.open')}
      </Button>
      <LogDialog processKey={processKey} title={title} opened={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

interface LogDialogProps extends LogButtonProps {
  opened: boolean;
  onClose: () => void;
}

/** The log alone, for menus that open it. */
export function LogDialog({ processKey, title, opened, onClose }: LogDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('process.log.title', { title })}
      size="xl"
      centered
      transitionProps={{ duration: 150 }}
      closeButtonProps={{ 'aria-label': t('process.log.close') }}
    >
      {opened && <LogLines processKey={processKey} />}
    </Modal>
  );
}

function LogLines({ processKey }: { processKey: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const query = useQuery({
    queryKey: ['process-log', processKey],
    queryFn: ({ signal }) => client.call(processApi.log, { key: processKey }, { signal }),
    refetchInterval: pollWhileSignedIn(processTimes.logPollMs),
    meta: { quiet: true },
  });
  const lines = query.data?.lines ?? [];
  const text = lines.join('\n');
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm" c="dimmed">
          {t('process.log.help')}
        </Text>
        <StaleChip {...query} />
      </Group>
      <ScrollArea.Autosize mah="55vh" type="auto" className={classes.log}>
        <pre className={classes.lines}>{query.data && lines.length === 0 ? t('process.log.empty') : text}</pre>
      </ScrollArea.Autosize>
      <Group justify="flex-end" mt="md">
        <Button variant="default" disabled={text === ''} onClick={() => copy(text)}>
          {t('process.log.copy')}
        </Button>
      </Group>
    </>
  );
}
