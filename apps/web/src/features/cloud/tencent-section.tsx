import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { useLocale } from '../../lib/i18n.ts';
import type { TencentKind } from './tencent-kind.ts';
import { TencentPanel } from './tencent-panel.tsx';

/** For accounts of a Chinese cloud; in other languages there is only the sentence the specification asks for. */
export function TencentSection({ kind }: { kind: TencentKind }) {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  if (!isChinese) return <Text size="sm">{t('others.onTheWay')}</Text>;
  return (
    <>
      <TutorialButton set="cloud" />
      <TencentPanel kind={kind} introduction={<Introduction kind={kind} />} />
    </>
  );
}

function Introduction({ kind }: { kind: TencentKind }) {
  const { t } = useTranslation();
  return (
    <Answers
      answers={[
        [t(`others.${kind}.what`), t(`others.${kind}.whatText`)],
        [t(`others.${kind}.cost`), t(`others.${kind}.costText`)],
        [t(`others.${kind}.either`), t(`others.${kind}.eitherText`)],
      ]}
    />
  );
}
