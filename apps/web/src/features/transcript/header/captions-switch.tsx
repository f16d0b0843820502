import { Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type TranscriptStream, transcriptApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { useEngineLacks } from '../../../lib/queries/use-engine-lacks.ts';
import { transcriptKey } from '../transcript-queries.ts';

/** Whether the stream's own players offer its subtitles. Kept at once: nothing typed can be lost by it. */
export function CaptionsSwitch({ stream: { uuid, captions } }: { stream: TranscriptStream }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (enabled: boolean) => client.call(transcriptApi.captions, { uuid, enabled }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: transcriptKey });
      notify.success(t('helper.setOk'));
    },
  });
  if (useEngineLacks('subtitles')) {
    return <Notice tone="info" title={t('transcript.captions.unsupported')} />;
  }
  return (
    <Checkbox
      label={t('transcript.captions.label')}
      description={t('transcript.captions.help')}
      checked={change.isPending ? change.variables : captions}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
