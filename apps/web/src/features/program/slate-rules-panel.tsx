import { ActionIcon, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { Glob, limits, programApi, programLimits, type SlateRule } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconX } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import classes from './program.module.css';
import { programsQuery } from './program-queries.ts';

const durations = [30, 60, 300, 900, 3600, 6 * 3600, 24 * 3600];

/** For streams without a program: a slate while their publisher is away. */
export function SlateRulesPanel({ rules }: { rules: readonly SlateRule[] }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const form = useSettingsForm({
    saved: { slates: rules },
    check: ({ slates }) => {
      const wrong = slates.findIndex(
        ({ pattern }) => !(Glob.parse(pattern.trim()) instanceof Glob) || pattern.trim() === '',
      );
      return wrong < 0 ? undefined : { at: wrong };
    },
    save: ({ slates }) => client.call(programApi.slates, { slates: [...slates] }),
    refresh: (queries) => queries.invalidateQueries({ queryKey: programsQuery.queryKey }),
    done: t('program.slates.saved'),
  });
  const { slates } = form.value;
  const edit = (at: number, change: Partial<SlateRule>) =>
    form.edit({ slates: slates.map((rule, place) => (place === at ? { ...rule, ...change } : rule)) });
  const add = slates.length < programLimits.slateRules && (
    <Button variant="default" onClick={() => form.edit({ slates: [...slates, { pattern: '/live/*', seconds: 300 }] })}>
      {t('program.slates.add')}
    </Button>
  );
  const none = <p className={classes.last}>{t('program.slates.none')}</p>;
  if (slates.length === 0 && !form.isChanged) {
    return (
      <Section anchor="slates" title={t('program.slates.title')} help={t('program.slates.help')}>
        <Stack gap="md" align="flex-start">
          {none}
          {add}
        </Stack>
      </Section>
    );
  }
  return (
    <Section anchor="slates" title={t('program.slates.title')} help={t('program.slates.help')}>
      <SettingsForm form={form} actions={add}>
        {slates.length === 0 && none}
        {slates.length > 0 && (
          <ul className={classes.slateRules}>
            {slates.map(({ pattern, seconds }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no identity but its place
              <li key={at}>
                <TextInput
                  label={t('program.slates.pattern')}
                  placeholder="/live/*"
                  spellCheck={false}
                  autoComplete="off"
                  maxLength={limits.streamNameCharacters}
                  value={pattern}
                  error={form.problem?.at === at && t('program.slates.wrong')}
                  onChange={(event) => edit(at, { pattern: event.currentTarget.value })}
                />
                <NativeSelect
                  label={t('program.slates.seconds')}
                  value={String(seconds)}
                  onChange={(event) => edit(at, { seconds: Number(event.currentTarget.value) })}
                  data={[...new Set([...durations, seconds])]
                    .sort((a, b) => a - b)
                    .map((value) => ({ value: String(value), label: formatDuration(value, locale) }))}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('program.slates.remove', { pattern })}
                  onClick={() => form.edit({ slates: slates.filter((_rule, place) => place !== at) })}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
      </SettingsForm>
    </Section>
  );
}
