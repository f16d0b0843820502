import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RecordSettings, recordApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { GlobMatches } from './globs/glob-matches.tsx';
import { recordKey } from './record-queries.ts';

/** Starts and stops recording. The button says what the server said, never what was only asked for. */
export function RecordSwitch({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: (all: boolean) => client.call(recordApi.apply, { all }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: recordKey });
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <Button variant={isOn ? 'default' : 'filled'} loading={apply.isPending} onClick={() => apply.mutate(!isOn)}>
      {isOn ? t('record.stop') : t('record.start')}
    </Button>
  );
}

/** What the switch means, and for whom of those who are live now. */
export function EnablePanel({ settings: { all, globs } }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const count = globs.length;
  return (
    <Stack gap="md" maw={760}>
      <Text size="sm">
        {count === 0 ? t('record.enableAll') : t('record.enableSome', { count })}{' '}
        {all ? t('record.stopTip') : t('record.startTip')}
      </Text>
      <GlobMatches lines={globs} isInForce={all} />
    </Stack>
  );
}
