import { Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RecordSettings, recordApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { recordQuery } from '../record-queries.ts';

/** Whether what was said goes into finished files. Saved at once: it can be taken back at any time. */
export function SubtitlesChoice({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (subtitles: boolean) => client.call(recordApi.subtitles, { subtitles }),
    onSuccess: async () => {
      await queries.invalidateQueries(recordQuery);
      notify.success(t('record.setupOk'));
    },
  });
  return (
    <Checkbox
      size="md"
      label={t('record.subtitles')}
      description={t('record.subtitlesHelp')}
      checked={save.isPending ? save.variables : settings.subtitles}
      disabled={save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  );
}
