import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy.ts';

/** Short word of success or failure at the edge of the page; it goes away by itself. */
export const notify = {
  success: (message: string) => notifications.show({ message, color: 'green' }),
  failure: (message: string) => notifications.show({ message, color: 'red' }),
};

/** Copies and says so. */
export function useCopy(): (text: string) => Promise<void> {
  const { t } = useTranslation();
  return async (text) => {
    try {
      await copyText(text);
      notify.success(t('helper.copyOk'));
    } catch (error) {
      notify.failure(`${t('helper.copyFail')} ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
