import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { saveCredentials } from '../../lib/credentials.ts';
import { notify } from '../../lib/notify.ts';
import { apiSecretQuery } from './openapi-queries.ts';

export function SecretPanel() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const secret = useQuery(apiSecretQuery);
  const [isAsking, setIsAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => client.call(authApi.rotateApiSecret),
    onSuccess: ({ secret: fresh, ...session }) => {
      // Sessions are signed with the secret: this browser goes on with the one that came with the answer.
      saveCredentials(session);
      queries.setQueryData(apiSecretQuery.queryKey, fresh);
      notify.success(t('openapi.rotateOk'));
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <Section title={t('openapi.secret')} help={t('openapi.secretTip')} state={<StaleChip {...secret} />}>
      <Stack gap="md" maw={560}>
        <CopyField label={t('openapi.secretCopy')} value={secret.data ?? ''} isSecret />
        <Group>
          <Button variant="default" onClick={() => setIsAsking(true)} disabled={!secret.data}>
            {t('openapi.rotate')}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        title={t('openapi.rotate')}
        text={t('openapi.rotateConfirm')}
        action={t('openapi.rotate')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}
