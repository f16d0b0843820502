import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { atLimits, type RecordSettings, type RecordStorageRule, recordApi } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plainNumber } from '../../../components/player/figures.ts';
import { StatusLabel } from '../../../components/ui/feedback/status-label.tsx';
import { client } from '../../../lib/api.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { useSave } from '../../../lib/use-save.ts';
import classes from '../record.module.css';
import { recordQuery } from '../record-queries.ts';
import { type AmountField, fieldsOf, ruleOf, type StorageFields } from './storage-fields.ts';

/** How much room recordings may take, how long they stay, and what happens at the limit. */
export function StorageForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const [draft, setDraft] = useState<Partial<StorageFields>>({});
  const [wrong, setWrong] = useState<readonly AmountField[]>([]);
  const save = useSave({
    query: recordQuery,
    save: (rule: RecordStorageRule) => client.call(recordApi.storage, rule),
    done: t('record.setupOk'),
    onSaved: () => setDraft({}),
  });
  const saved = fieldsOf(settings.rule);
  const value = { ...saved, ...draft };
  const edit = (change: Partial<StorageFields>) => {
    setDraft({ ...draft, ...change });
    setWrong([]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rule = ruleOf(value);
    if ('wrong' in rule) return setWrong(rule.wrong);
    if (!save.isPending) save.mutate(rule);
  };
  const isChanged = (Object.keys(value) as (keyof StorageFields)[]).some((name) => value[name] !== saved[name]);
  const field = (name: AmountField, unit: string, placeholder: string) => (
    <TextInput
      size="md"
      label={t(`record.storage.${name}`)}
      description={t(`record.storage.${name}Tip`)}
      inputMode="decimal"
      placeholder={placeholder}
      rightSection={
        <Text size="sm" c="dimmed">
          {unit}
        </Text>
      }
      rightSectionWidth={56}
      value={value[name]}
      error={wrong.includes(name) && t(name === 'keepDays' ? 'record.storage.badDays' : 'record.storage.badSize')}
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  );
  const none = t('record.storage.none');
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <div className={classes.pair}>
          {field('floor', 'GB', plainNumber(settings.storage.floorBytes / 1e9, locale, 1))}
          {field('quota', 'GB', none)}
          {field('keepDays', t('record.storage.days'), none)}
          {field('keep', 'GB', none)}
        </div>
        <NativeSelect
          size="md"
          label={t('record.storage.atLimit')}
          description={t(`record.storage.atLimitTip.${value.atLimit}`)}
          value={value.atLimit}
          data={atLimits.map((choice) => ({ value: choice, label: t(`record.storage.choice.${choice}`) }))}
          onChange={(event) => edit({ atLimit: atLimits.find((one) => one === event.currentTarget.value) ?? 'stop' })}
        />
        <Checkbox
          label={t('record.storage.keepSegments')}
          description={t('record.storage.keepSegmentsTip')}
          checked={value.keepSegments}
          onChange={(event) => edit({ keepSegments: event.currentTarget.checked })}
        />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('record.storage.submit')}
          </Button>
          {isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
        </Group>
      </Stack>
    </form>
  );
}
