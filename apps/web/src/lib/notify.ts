import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { copyText, describeCopyFailure } from './copy.ts';

/** Short toasts that disappear on their own. */
export const notify = {
  success: (message: string) => show(message, 'green'),
  failure: (message: string) => show(message, 'red'),
};

function show(message: string, color: string): void {
  notifications.show({ message, color, closeButtonProps: { 'aria-label': i18next.t('errs.dismiss') } });
}

/** Copies text and confirms it with a toast. */
export function useCopy(): (text: string) => Promise<void> {
  const { t } = useTranslation();
  return async (text) => {
    try {
      await copyText(text);
      notify.success(t('helper.copyOk'));
    } catch (error) {
      notify.failure(describeCopyFailure(t, error));
    }
  };
}
