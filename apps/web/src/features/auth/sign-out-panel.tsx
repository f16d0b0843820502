import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { authApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { client } from '../../lib/api.ts';
import { signOut as forgetSession } from '../../lib/credentials.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';

export function SignOutPanel() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const localPath = useLocalPath();
  const [isAsking, setIsAsking] = useState(false);
  const signOut = useMutation({
    mutationFn: () => client.call(authApi.logout, { all: true }),
    onSuccess: () => {
      navigate(localPath(paths.login));
      forgetSession();
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <Section isSplit title={t('settings.signOutTitle')} help={t('settings.signOutHelp')}>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {t('settings.signOutSubmit')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('settings.signOutTitle')}
        text={t('settings.signOutConfirm')}
        action={t('settings.signOutSubmit')}
        busy={signOut.isPending}
        onConfirm={() => signOut.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}
