import { Button } from '@mantine/core';
import type { Outlet } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { useOutletTitle } from './destination/platforms.ts';
import type { OutletActions } from './use-outlet-actions.ts';

interface RemoveOutletProps {
  outlet: Outlet;
  actions: Pick<OutletActions, 'isRemoving' | 'isBusy' | 'remove'>;
}

/** Forgets what was saved of a slot, after asking. */
export function RemoveOutlet({ outlet, actions }: RemoveOutletProps) {
  const { t } = useTranslation();
  const name = useOutletTitle()(outlet);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button type="button" variant="subtle" color="gray" disabled={actions.isBusy} onClick={() => setIsAsking(true)}>
        {t('plat.com.remove')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('plat.com.removeTitle', { name })}
        text={outlet.enabled ? t('plat.com.removeLive') : t('plat.com.removeText')}
        action={t('plat.com.remove')}
        busy={actions.isRemoving}
        onConfirm={() => {
          actions.remove(outlet.platform);
          setIsAsking(false);
        }}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
