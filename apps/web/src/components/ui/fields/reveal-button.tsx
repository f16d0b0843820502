import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconEye, IconEyeOff } from '../theme/icons.ts';

/** Shows and hides what a masked field holds. Its name stays, its pressed state changes, so that it is read out well. */
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
