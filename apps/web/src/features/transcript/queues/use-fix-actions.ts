import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@weir/client';
import { errorTable, transcriptApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { fixQueueQuery } from '../transcript-queries.ts';

/** What can be done with a text before it is shown. Both are kept at once. */
export function useFixActions(uuid: string) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const onSuccess = async () => {
    notify.success(t('helper.setOk'));
    await queries.invalidateQueries(fixQueueQuery(uuid));
  };
  // Somebody who is a second late has done nothing wrong: the page stays as it is.
  const onError = (error: unknown) => {
    if (isGone(error)) notify.failure(t('transcript.edit.late'));
  };
  const meta = { handles: isGone };
  const clear = useMutation({
    mutationFn: (tsid: string) => client.call(transcriptApi.clearSubtitle, { uuid, tsid }),
    onSuccess,
    onError,
    meta,
  });
  const edit = useMutation({
    mutationFn: (change: { tsid: string; cue: number | undefined; text: string }) =>
      client.call(transcriptApi.edit, { uuid, ...change }),
    onSuccess,
    onError,
    meta,
  });
  return { clear, edit };
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === errorTable.not_found.code;
}
