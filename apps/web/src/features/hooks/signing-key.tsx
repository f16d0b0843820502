import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { hooksApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { client } from '../../lib/api.ts';
import { notify } from '../../lib/notify.ts';
import { hooksQuery } from './hooks-queries.ts';

/** What a receiver needs to check that a request is ours. */
export function SigningKey({ secret }: { secret: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => client.call(hooksApi.rotate, {}),
    onSuccess: (fresh) => {
      queries.setQueryData(hooksQuery.queryKey, (before) => before && { ...before, ...fresh });
      notify.success(t('hooks.form.rotateOk'));
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <div>
      <CopyField label={t('hooks.form.key')} value={secret} isSecret />
      <Button variant="default" mt="xs" onClick={() => setIsAsking(true)}>
        {t('hooks.form.rotate')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('hooks.form.rotateTitle')}
        text={t('hooks.form.rotateText')}
        action={t('hooks.form.rotate')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}
