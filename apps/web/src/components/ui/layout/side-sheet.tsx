import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './side-sheet.module.css';

interface SideSheetProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Actions that stay in view below the content. */
  footer?: ReactNode;
  children: ReactNode;
}

/** Sheet at the right for adding or editing one thing; from below on phones. Keeps the focus, closes with Escape. */
export function SideSheet({ opened, onClose, title, footer, children }: SideSheetProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 600px)') ?? false;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92%' : 480}
      title={title}
      transitionProps={{ duration: 160 }}
      closeButtonProps={{ 'aria-label': t('helper.close') }}
      classNames={{ content: classes.sheet, header: classes.header, title: classes.title, body: classes.body }}
    >
      <div className={classes.content}>{children}</div>
      {footer && <div className={classes.footer}>{footer}</div>}
    </Drawer>
  );
}
