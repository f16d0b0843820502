import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TutorialButton } from '../../components/tutorials/tutorial-button.tsx';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { useLocale } from '../../lib/i18n.ts';
import type { CloudKind } from './cloud-kind.ts';
import { CloudPanel } from './cloud-panel.tsx';

/** For accounts of a Chinese cloud; in other languages there is only the sentence the specification asks for. */
export function CloudSection({ kind }: { kind: CloudKind }) {
  const { t } = useTranslation();
  const isChinese = useLocale() === 'zh';
  if (!isChinese) return <Text size="sm">{t('others.onTheWay')}</Text>;
  return (
    <>
      <TutorialButton set="cloud" />
      <CloudPanel kind={kind} introduction={<Introduction kind={kind} />} />
    </>
  );
}

function Introduction({ kind }: { kind: CloudKind }) {
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
