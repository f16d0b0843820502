import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Answers } from '../../components/ui/answers.tsx';
import { useLocale } from '../../lib/i18n.ts';
import { VodPanel } from '../cloud/vod-panel.tsx';
import { TutorialButton } from '../tutorials/tutorial-button.tsx';

/** For accounts of a Chinese cloud; in other languages there is only the sentence the specification asks for. */
export function CloudVodSection() {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  if (!isChinese) return <Text size="sm">{t('others.onTheWay')}</Text>;
  return (
    <>
      <TutorialButton set="cloud" />
      <VodPanel introduction={<Introduction />} />
    </>
  );
}

function Introduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={[
        [t('others.vod.what'), t('others.vod.whatText')],
        [t('others.vod.cost'), t('others.vod.costText')],
        [t('others.vod.either'), t('others.vod.eitherText')],
      ]}
    />
  );
}
