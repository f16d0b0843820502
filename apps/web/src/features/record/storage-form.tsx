import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { type RecordSettings, recordApi, storageLimitActions } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../components/figures/format-figures.ts';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import classes from './record.module.css';
import { recordQuery } from './record-queries.ts';
import {
  type AmountField,
  invalidAmounts,
  parseStorageRule,
  type StorageFields,
  toStorageFields,
} from './storage-fields.ts';

/** Space for recordings, their retention, and the action at the limit. */
export function StorageForm({ settings }: { settings: RecordSettings }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const form = useSettingsForm<StorageFields, readonly AmountField[]>({
    saved: toStorageFields(settings.rule),
    check: (fields) => {
      const wrong = invalidAmounts(fields);
      return wrong.length > 0 ? wrong : undefined;
    },
    save: (fields) => client.call(recordApi.storage, parseStorageRule(fields)),
    refresh: (queries) => queries.invalidateQueries(recordQuery),
    done: t('record.setupOk'),
  });
  const { value, edit } = form;
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
      error={
        form.problem?.includes(name) && t(name === 'keepDays' ? 'record.storage.badDays' : 'record.storage.badSize')
      }
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  );
  const none = t('record.storage.none');
  return (
    <SettingsForm form={form} action={t('record.storage.submit')}>
      <div className={classes.pair}>
        {field('floor', 'GB', formatNumber(settings.storage.floorBytes / 1e9, locale, 1))}
        {field('quota', 'GB', none)}
        {field('keepDays', t('record.storage.days'), none)}
        {field('keep', 'GB', none)}
      </div>
      <NativeSelect
        size="md"
        label={t('record.storage.atLimit')}
        description={t(`record.storage.atLimitTip.${value.atLimit}`)}
        value={value.atLimit}
        data={storageLimitActions.map((choice) => ({ value: choice, label: t(`record.storage.choice.${choice}`) }))}
        onChange={(event) =>
          edit({ atLimit: storageLimitActions.find((one) => one === event.currentTarget.value) ?? 'stop' })
        }
      />
      <Checkbox
        label={t('record.storage.keepSegments')}
        description={t('record.storage.keepSegmentsTip')}
        checked={value.keepSegments}
        onChange={(event) => edit({ keepSegments: event.currentTarget.checked })}
      />
    </SettingsForm>
  );
}
