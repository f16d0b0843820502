import { Checkbox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { client } from '../../lib/api.ts';
import { applyCalls, type CloudKind } from './cloud-kind.ts';
import { cloudKey } from './cloud-queries.ts';

interface RuleFormProps {
  kind: CloudKind;
  saved: boolean;
  /** The other one of the two is on, so this one cannot be. */
  isOtherOn: boolean;
}

/** On or off, for every stream. */
export function RuleForm({ kind, saved, isOtherOn }: RuleFormProps) {
  const { t } = useTranslation();
  const form = useSettingsForm({
    saved: { all: saved },
    isBlocked: isOtherOn,
    save: (rule) => client.call(applyCalls[kind], rule),
    settle: (queries) => queries.invalidateQueries({ queryKey: cloudKey }),
    done: t(`cloud.${kind}.ruleOk`),
  });
  return (
    <SettingsForm form={form} width={560} isDisabled={isOtherOn}>
      {isOtherOn && (
        <Notice tone="bad" title={t(`cloud.${kind}.otherOn`)}>
          <Text size="sm">{t(`cloud.${kind}.otherOff`)}</Text>
        </Notice>
      )}
      <Checkbox
        label={t(`cloud.${kind}.all`)}
        description={t(`cloud.${kind}.allHelp`)}
        checked={form.value.all}
        disabled={isOtherOn}
        onChange={(event) => form.edit({ all: event.currentTarget.checked })}
      />
    </SettingsForm>
  );
}
