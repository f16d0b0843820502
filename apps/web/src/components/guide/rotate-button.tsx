import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { randomStreamName, saveStreamName } from '../streams/stream-name.ts';
import { IconRefresh } from '../ui/theme/icons.ts';

/** Creates a new stream name; all addresses follow it. */
export function RotateButton() {
  const { t } = useTranslation();
  const rotate = () => {
    saveStreamName(randomStreamName());
    notify.success(t('helper.changeStream'));
  };
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('live.share.rotate')}
      title={t('live.share.rotate')}
      onClick={rotate}
    >
      <IconRefresh size={18} aria-hidden />
    </ActionIcon>
  );
}
