import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconDots } from '../theme/icons.ts';

interface RowMenuProps {
  /** Accessible name of the button. */
  label: string;
  /** Beside the title of a page the button has a border. */
  isFramed?: boolean;
  size?: number;
  disabled?: boolean;
  loading?: boolean;
  className?: string | undefined;
  /** Items of the menu. */
  children: ReactNode;
}

/** Further actions of a row or page behind a button with three dots. */
export function RowMenu({ label, isFramed = false, size = 34, children, ...button }: RowMenuProps) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <ActionIcon variant={isFramed ? 'default' : 'subtle'} color="gray" size={size} aria-label={label} {...button}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
