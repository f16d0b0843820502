import { ActionIcon, CloseButton, Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { IconHelp } from '../theme/icons.ts';
import classes from './help-drawer.module.css';

export interface PageHelp {
  readonly content: ReactNode;
  /** Key of the panel in the specification, such as `1` of an introduction. `#panel-1` in the address opens it. */
  readonly panel?: string;
  /** Opened with the page, as the specification's panel is while nothing is set up: on the page itself, above its content. */
  readonly isOpen?: boolean;
}

/** Button "?" and the explanation behind it. */
export function HelpDrawer({ title, help }: { title: string; help: PageHelp }) {
  const { t } = useTranslation();
  const { hash, key } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const asks = help.panel !== undefined && hash === `#panel-${help.panel}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again opens it again
  useEffect(() => {
    if (asks) setIsOpen(true);
  }, [asks, key]);
  return (
    <>
      <ActionIcon
        variant="default"
        className={classes.button}
        aria-label={t('helper.about', { title })}
        title={t('helper.help')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        <IconHelp size={18} aria-hidden />
      </ActionIcon>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="right"
        size={480}
        title={t('helper.about', { title })}
        transitionProps={{ duration: 160 }}
        closeButtonProps={{ 'aria-label': t('helper.close') }}
      >
        <section data-key={help.panel} className={classes.content}>
          {help.content}
        </section>
      </Drawer>
    </>
  );
}

/** Explanation on the page itself, until it is closed. */
export function OpenHelp({ title, help, onClose }: { title: string; help: PageHelp; onClose: () => void }) {
  const { t } = useTranslation();
  const label = t('helper.about', { title });
  return (
    <section
      data-key={help.panel}
      id={help.panel && `panel-${help.panel}`}
      aria-label={label}
      className={classes.open}
      tabIndex={-1}
    >
      <div className={classes.openText}>{help.content}</div>
      <CloseButton aria-label={t('helper.close')} onClick={onClose} />
    </section>
  );
}
