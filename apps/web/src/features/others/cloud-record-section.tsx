import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Answers } from '../../components/ui/answers.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { DvrPanel } from '../cloud/dvr-panel.tsx';
import { TutorialButton } from '../tutorials/tutorial-button.tsx';

/** For accounts of a Chinese cloud; in other languages there is only the sentence the specification asks for. */
export function CloudRecordSection() {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  if (!isChinese) return <Text size="sm">{t('others.onTheWay')}</Text>;
  return (
    <>
      <TutorialButton set="cloud" />
      <DvrPanel introduction={<Introduction />} />
    </>
  );
}

function Introduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={[
        [t('others.dvr.what'), t('others.dvr.whatText')],
        [t('others.dvr.cost'), t('others.dvr.costText')],
        [t('others.dvr.either'), t('others.dvr.eitherText')],
      ]}
    />
  );
}
