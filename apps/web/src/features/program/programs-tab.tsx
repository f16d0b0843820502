import { ActionIcon, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Glob, limits, type ProgramRow, programApi, programLimits, type SlateRule } from '@weir/contract';
import { placeText, streamLabel } from '@weir/streams';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { EmptyList } from '../../components/outlets/empty-list.tsx';
import { SettingsForm } from '../../components/settings-form/settings-form.tsx';
import { useSettingsForm } from '../../components/settings-form/use-settings-form.ts';
import { StreamLink } from '../../components/streams/stream-link.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel, type Tone } from '../../components/ui/feedback/status-label.tsx';
import { FlowList, FlowRow } from '../../components/ui/layout/flow-row.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPlus, IconX } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { InputPicture } from './input-picture.tsx';
import classes from './program.module.css';
import { programsQuery } from './program-queries.ts';
import { ProgramSheet } from './program-sheet.tsx';
import { type ProgramCondition, programCondition } from './program-state.ts';
import { useInputName, useProgramLine } from './use-program-words.ts';

/** Address flag that opens the form of a new program. */
const addFlag = 'add';

/** All programs, and the slates of streams without one. */
export function ProgramsTab() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const programs = useQuery(programsQuery);
  const { data } = programs;
  if (!data && programs.failureCount === 0) return <PageSkeleton />;
  const setAdding = (isAdding: boolean) =>
    setQuery((before) => {
      const after = new URLSearchParams(before);
      if (isAdding) after.set(addFlag, '1');
      else after.delete(addFlag);
      return after;
    });
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('program.add')}
    </Button>
  );
  const rows = data?.programs ?? [];
  const onAir = rows.filter((row) => row.onAir !== '').length;
  const isAvailable = data?.isAvailable ?? false;
  return (
    <>
      <PageHead
        title={t('program.tab')}
        purpose={t('nav.purpose.program')}
        state={
          programs.failureCount > 0 ? (
            <StaleChip {...programs} />
          ) : (
            onAir > 0 && <StatePill tone="ok" word={t('program.countOnAir', { number: onAir })} />
          )
        }
        action={isAvailable && rows.length > 0 && add}
      />
      {data && !isAvailable && (
        <Notice tone="info" title={t('program.unavailable')}>
          <p>{t('program.unavailableText')}</p>
        </Notice>
      )}
      {isAvailable && (
        <div className={classes.page}>
          {rows.length === 0 ? (
            <EmptyList art={<ProgramArt />} text={t('program.empty')} action={add} />
          ) : (
            <FlowList label={t('program.tab')}>
              {rows.map((row) => (
                <ProgramItem key={placeText(row)} program={row} />
              ))}
            </FlowList>
          )}
          <SlateRulesPanel rules={data?.slates ?? []} />
        </div>
      )}
      {isAvailable && query.has(addFlag) && <ProgramSheet onClose={() => setAdding(false)} />}
    </>
  );
}

const tones: Readonly<Record<ProgramCondition, Tone>> = {
  off: 'off',
  waiting: 'busy',
  main: 'ok',
  backup: 'warn',
  slate: 'bad',
};

function ProgramItem({ program }: { program: ProgramRow }) {
  const { t } = useTranslation();
  const lineOf = useProgramLine();
  const nameOf = useInputName();
  const condition = programCondition(program);
  const { uuid, inputs, onAir, enabled } = program;
  return (
    <FlowRow
      picture={
        <InputPicture uuid={uuid} input={onAir || (inputs[0]?.id ?? '')} isLive={onAir !== ''} isEnabled={enabled} />
      }
      name={<StreamLink stream={program}>{streamLabel(program)}</StreamLink>}
      way={inputs.map((input) => nameOf(input, inputs)).join(t('program.arrow'))}
      state={<StatusLabel tone={tones[condition]} word={t(`program.state.${condition}`)} />}
      since={<span className={classes.since}>{lineOf(program)}</span>}
    />
  );
}

/** Three inputs, one of them on air. */
function ProgramArt() {
  return (
    <svg viewBox="0 0 160 80" width="160" height="80" fill="none" stroke="currentColor" strokeWidth="2">
      <title>Program</title>
      <rect x="4" y="4" width="36" height="20" rx="3" />
      <rect x="4" y="30" width="36" height="20" rx="3" />
      <rect x="4" y="56" width="36" height="20" rx="3" strokeDasharray="4 3" />
      <path d="M44 14h22l20 22h14M44 40h10M44 66h10" strokeLinecap="round" strokeLinejoin="round" />
      <rect x="104" y="20" width="52" height="36" rx="4" />
      <circle cx="130" cy="38" r="6" fill="currentColor" stroke="none" />
    </svg>
  );
}

const durations = [30, 60, 300, 900, 3600, 6 * 3600, 24 * 3600];

/** For streams without a program: a slate while their publisher is away. */
function SlateRulesPanel({ rules }: { rules: readonly SlateRule[] }) {
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
