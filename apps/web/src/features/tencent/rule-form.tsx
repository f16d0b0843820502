import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { client } from '../../lib/api.ts';
import { useSave } from '../../lib/use-save.ts';
import { type CloudKind, cloudCalls } from './cloud-kind.ts';
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
  const [draft, setDraft] = useState<boolean>();
  const save = useSave({
    query: { queryKey: cloudKey },
    save: (all: boolean) => client.call(cloudCalls[kind].apply, { all }),
    done: t(`cloud.${kind}.ruleOk`),
    onSaved: () => setDraft(undefined),
  });
  const isOn = draft ?? saved;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending && !isOtherOn) save.mutate(isOn);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={560}>
        {isOtherOn && (
          <Notice tone="bad" title={t(`cloud.${kind}.otherOn`)}>
            <Text size="sm">{t(`cloud.${kind}.otherOff`)}</Text>
          </Notice>
        )}
        <Checkbox
          label={t(`cloud.${kind}.all`)}
          description={t(`cloud.${kind}.allHelp`)}
          checked={isOn}
          disabled={isOtherOn}
          onChange={(event) => setDraft(event.currentTarget.checked)}
        />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={isOtherOn}>
            {t('helper.update')}
          </Button>
          {isOn !== saved && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
        </Group>
      </Stack>
    </form>
  );
}
