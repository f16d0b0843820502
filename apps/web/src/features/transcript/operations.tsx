import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { TranscriptConfig } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import { listOutputs } from './outputs.ts';
import classes from './transcript.module.css';

interface OperationsProps {
  uuid: string;
  config: TranscriptConfig;
  /** Whether there is anything to watch yet. */
  hasOutput: boolean;
}

/** Where viewers find the outputs. */
export function Operations({ uuid, config, hasOutput }: OperationsProps) {
  const { t } = useTranslation();
  const outputs = listOutputs(uuid, window.location, config.webvttEnabled);
  return (
    <Stack gap="md">
      {!hasOutput && (
        <Text size="sm" c="dimmed">
          {t('transcript.noOutput')}
        </Text>
      )}
      <dl className={classes.links}>
        {outputs.map(({ kind, url, player }) => (
          <div key={kind}>
            <dt>{t(`transcript.${kind}`)}</dt>
            <dd>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Anchor size="sm" href={player} target="_blank" rel="noreferrer">
                  {url}
                </Anchor>
                <CopyButton label={t(`transcript.${kind}`)} value={url} />
              </Group>
            </dd>
          </div>
        ))}
      </dl>
      <Text size="sm" c="dimmed">
        {t('transcript.opsHelp')}
      </Text>
    </Stack>
  );
}
