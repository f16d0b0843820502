import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RecordSettings, recordApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { GlobMatches } from './glob-matches.tsx';
import { recordKey } from './record-queries.ts';

/** Starts and stops recording. The button says what the server said, never what was only asked for. */
export function EnablePanel({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: (all: boolean) => client.call(recordApi.apply, { all }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: recordKey });
      notify.success(t('record.setupOk'));
    },
  });
  const count = settings.globs.length;
  return (
    <Stack gap="md" maw={760}>
      <Text size="sm">{count === 0 ? t('record.enableAll') : t('record.enableSome', { count })}</Text>
      <Group>
        <Button
          color={settings.all ? 'red.8' : 'water'}
          loading={apply.isPending}
          onClick={() => apply.mutate(!settings.all)}
        >
          {settings.all ? t('record.stop') : t('record.start')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {settings.all ? t('record.stopTip') : t('record.startTip')}
      </Text>
      <GlobMatches lines={settings.globs} />
    </Stack>
  );
}
