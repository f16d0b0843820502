import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SideSheet } from '../layout/side-sheet.tsx';
import classes from './form-sheet.module.css';

interface FormSheetProps {
  opened?: boolean;
  title: string;
  /** Text of the button that sends the form; "Update" without it. */
  action?: string;
  isBusy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Sheet with a form that adds or edits one thing. */
export function FormSheet({ opened = true, title, action, isBusy, onSubmit, onClose, children }: FormSheetProps) {
  const { t } = useTranslation();
  const formId = useId();
  return (
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button type="submit" form={formId} loading={isBusy}>
            {action ?? t('helper.update')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </SideSheet>
  );
}
