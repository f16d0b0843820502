import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconEye, IconEyeOff } from '../theme/icons.ts';

/** Toggles a masked field. The name is constant and the pressed state changes, as screen readers expect. */
export function RevealButton({ isShown, onChange }: { isShown: boolean; onChange: (isShown: boolean) => void }) {
  const { t } = useTranslation();
  const Mark = isShown ? IconEyeOff : IconEye;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('helper.reveal')}
      title={t('helper.reveal')}
      aria-pressed={isShown}
      onClick={() => onChange(!isShown)}
    >
      <Mark size={18} aria-hidden />
    </ActionIcon>
  );
}
