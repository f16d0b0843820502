import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { IconHelpCircle } from './icons.ts';
import { TutorialCards } from './tutorial-cards.tsx';
import { selectArticles, selectVideos, type TutorialSet } from './tutorial-list.ts';
import classes from './tutorials.module.css';

/** Opens the tutorials of a screen; hidden if the current language has none. */
export function TutorialButton({ set }: { set: TutorialSet }) {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  const [opened, setOpened] = useState(false);
  if ((isChinese ? selectVideos(set) : selectArticles(set)).length === 0) return null;
  return (
    <div className={classes.opener}>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconHelpCircle size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {t('tutorials.button')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('tutorials.title')}
        size="xl"
        centered
        transitionProps={{ duration: 150 }}
        closeButtonProps={{ 'aria-label': t('tutorials.close') }}
      >
        <TutorialCards set={set} />
      </Modal>
    </div>
  );
}
