import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconCopy } from '../../components/ui/theme/icons.ts';
import { useCopy } from '../../lib/notify.ts';

/** Copies something that stands beside it. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <ActionIcon variant="subtle" aria-label={t('helper.copyWhat', { label })} onClick={() => copy(value)}>
      <IconCopy size={16} aria-hidden />
    </ActionIcon>
  );
}
