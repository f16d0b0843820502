import { ActionIcon, Button, Checkbox, NativeSelect, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type LadderCost, type LadderRule, ladderApi, ladderRuleLimits } from '@weir/contract';
import { ladderEncoders, ladderLimits, ladderPresets, placeText, streamLabel } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { streamsQuery } from '../../../components/streams/streams-queries.ts';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { FormSheet } from '../../../components/ui/fields/form-sheet.tsx';
import { IconPlus, IconX } from '../../../components/ui/theme/icons.ts';
import { client } from '../../../lib/api.ts';
import { toErrorMessage } from '../../../lib/errors/error-message.ts';
import { notify } from '../../../lib/notify.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import classes from './ladder.module.css';
import {
  blankLadder,
  findLadderProblems,
  findRungProblems,
  type LadderDraft,
  type LadderProblem,
  newRung,
  presetOf,
  presetRungs,
  rungSizes,
  sourceSizes,
  toLadderChange,
  toLadderDraft,
  toRungs,
} from './ladder-draft.ts';
import { encodersQuery, ladderKey } from './ladder-queries.ts';

interface LadderSheetProps {
  /** Undefined adds one. */
  rule: LadderRule | undefined;
  onClose: () => void;
}

/** Adds or edits the rule for lower qualities of a stream or pattern. */
export function LadderSheet({ rule, onClose }: LadderSheetProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { draft, edit, problems, check } = useDraft({
    initial: (): LadderDraft => (rule ? toLadderDraft(rule) : blankLadder),
    problemsOf: findLadderProblems,
  });
  const save = useMutation({
    mutationFn: () => client.call(ladderApi.save, toLadderChange(draft, rule?.id)),
    meta: { handles: () => true },
    onSuccess: () => {
      notify.success(t('helper.setOk'));
      onClose();
      return queries.invalidateQueries({ queryKey: ladderKey });
    },
  });
  return (
    <FormSheet
      title={rule ? t('ladder.editTitle', { pattern: rule.pattern }) : t('ladder.add')}
      isBusy={save.isPending}
      onSubmit={() => check() && !save.isPending && save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('ladder.pattern')}
        description={t('ladder.patternHelp')}
        placeholder="/live/*"
        maxLength={ladderRuleLimits.patternCharacters}
        autoComplete="off"
        spellCheck={false}
        value={draft.pattern}
        onChange={(event) => edit({ pattern: event.currentTarget.value })}
        error={problems.has('pattern') && t('ladder.problem.pattern')}
      />
      <Switch
        label={t('ladder.enabled')}
        checked={draft.enabled}
        onChange={(event) => edit({ enabled: event.currentTarget.checked })}
      />
      <RungFields draft={draft} problems={problems} onChange={edit} />
      <Radio.Group
        label={t('ladder.when.label')}
        value={draft.when}
        onChange={(value) => edit({ when: value === 'watched' ? 'watched' : 'always' })}
      >
        <Stack gap={8} mt={4}>
          <Radio value="always" label={t('ladder.when.always')} />
          <Radio value="watched" label={t('ladder.when.watched')} description={t('ladder.when.watchedHelp')} />
        </Stack>
      </Radio.Group>
      <EncoderFields draft={draft} onChange={edit} />
      <CostCheck draft={draft} />
      <Checkbox
        label={t('ladder.forced')}
        description={t('ladder.forcedHelp')}
        checked={draft.isForced}
        onChange={(event) => edit({ isForced: event.currentTarget.checked })}
      />
      {save.error && (
        <div role="alert">
          <Notice tone="bad" title={t('ladder.notSaved')}>
            <p>{toErrorMessage(save.error)}</p>
          </Notice>
        </div>
      )}
    </FormSheet>
  );
}

interface FieldsProps {
  draft: LadderDraft;
  onChange: (change: Partial<LadderDraft>) => void;
}

function RungFields({ draft, problems, onChange }: FieldsProps & { problems: ReadonlySet<LadderProblem> }) {
  const { t } = useTranslation();
  const { rungs } = draft;
  const preset = presetOf(draft);
  const edit = (at: number, change: Partial<(typeof rungs)[number]>) =>
    onChange({ rungs: rungs.map((rung, place) => (place === at ? { ...rung, ...change } : rung)) });
  const free = rungSizes.find((size) => !rungs.some(({ lines }) => lines === size) && size < (rungs[0]?.lines ?? 720));
  return (
    <fieldset className={classes.rungs}>
      <legend>{t('ladder.qualities')}</legend>
      <NativeSelect
        label={t('ladder.preset.label')}
        value={preset === undefined ? '' : String(preset)}
        onChange={(event) => onChange({ rungs: presetRungs(Number(event.currentTarget.value)) })}
        data={[
          ...(preset === undefined ? [{ value: '', label: t('ladder.preset.own') }] : []),
          ...sourceSizes.map((size) => ({ value: String(size), label: t('ladder.preset.source', { size }) })),
        ]}
      />
      <p className={classes.source}>
        <strong>{t('ladder.source')}</strong>
        <span className={classes.muted}>{t('ladder.sourceHelp')}</span>
      </p>
      <ul className={classes.rungList} aria-label={t('ladder.qualities')}>
        {rungs.map(({ lines, kbps }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a quality has no identity but its place
          <li key={at} className={classes.rung}>
            <NativeSelect
              label={t('ladder.quality')}
              value={String(lines)}
              onChange={(event) => edit(at, newRung(Number(event.currentTarget.value)))}
              data={[...new Set([...rungSizes, lines])]
                .sort((a, b) => b - a)
                .map((size) => ({ value: String(size), label: `${size}p` }))}
            />
            <TextInput
              label={t('ladder.kbps')}
              inputMode="numeric"
              autoComplete="off"
              value={kbps}
              onChange={(event) => edit(at, { kbps: event.currentTarget.value })}
              error={problems.has(`kbps-${at}`) && t('ladder.problem.kbps', { ...ladderLimits.kbps })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('ladder.removeQuality', { quality: `${lines}p` })}
              onClick={() => onChange({ rungs: rungs.filter((_rung, place) => place !== at) })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {problems.has('none') && <p className={classes.problem}>{t('ladder.problem.none')}</p>}
      {problems.has('same') && <p className={classes.problem}>{t('ladder.problem.same')}</p>}
      {rungs.length < ladderLimits.rungs && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          className={classes.start}
          onClick={() => onChange({ rungs: [...rungs, newRung(free ?? 144)] })}
        >
          {t('ladder.addQuality')}
        </Button>
      )}
      <Checkbox
        label={t('ladder.audioOnly')}
        description={t('ladder.audioOnlyHelp')}
        checked={draft.hasAudioOnly}
        onChange={(event) => onChange({ hasAudioOnly: event.currentTarget.checked })}
      />
    </fieldset>
  );
}

function EncoderFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(encodersQuery);
  const isBroken = (encoder: string) => data?.encoders.some((one) => one.encoder === encoder && !one.isUsable) ?? false;
  const isSoftware = (draft.encoder || data?.chosen || 'libx264').startsWith('lib');
  return (
    <>
      <NativeSelect
        label={t('ladder.encoder.label')}
        description={t('ladder.encoder.help')}
        value={draft.encoder}
        onChange={(event) =>
          onChange({ encoder: ladderEncoders.find((one) => one === event.currentTarget.value) ?? '' })
        }
        data={[
          {
            value: '',
            label: data?.chosen ? t('ladder.encoder.autoNow', { encoder: data.chosen }) : t('ladder.encoder.auto'),
          },
          ...ladderEncoders.map((encoder) => ({
            value: encoder,
            label: t(`ladder.encoder.${encoder}`),
            disabled: isBroken(encoder) && encoder !== draft.encoder,
          })),
        ]}
      />
      {isSoftware && (
        <NativeSelect
          label={t('ladder.speed')}
          description={t('ladder.speedHelp')}
          value={draft.preset}
          onChange={(event) =>
            onChange({ preset: ladderPresets.find((one) => one === event.currentTarget.value) ?? draft.preset })
          }
          data={[...ladderPresets]}
        />
      )}
    </>
  );
}

/** Measures with a live stream what the qualities cost on this machine. */
function CostCheck({ draft }: { draft: LadderDraft }) {
  const { t } = useTranslation();
  const streams = useQuery(streamsQuery).data?.streams ?? [];
  const [chosen, setChosen] = useState('');
  const stream = streams.find((one) => placeText(one) === chosen) ?? streams[0];
  const { encoder, preset, rungs } = draft;
  const form = JSON.stringify([encoder, preset, rungs, stream && placeText(stream)]);
  const measure = useMutation({
    mutationFn: async () => {
      if (!stream) return undefined;
      const { vhost, app, stream: name } = stream;
      const question = { vhost, app, stream: name, encoder, preset, rungs: toRungs(rungs) };
      return { form, cost: await client.call(ladderApi.measure, question) };
    },
    meta: { handles: () => true },
  });
  // Results of other settings say nothing of these.
  const cost = measure.data?.form === form ? measure.data.cost : undefined;
  return (
    <section className={classes.cost} aria-label={t('ladder.costTitle')}>
      <strong>{t('ladder.costTitle')}</strong>
      <p className={classes.muted}>{t(stream ? 'ladder.costHelp' : 'ladder.costNone')}</p>
      {stream && (
        <div className={classes.measure}>
          <NativeSelect
            aria-label={t('ladder.costStream')}
            value={placeText(stream)}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={streams.map((one) => ({ value: placeText(one), label: streamLabel(one) }))}
          />
          <Button
            variant="default"
            loading={measure.isPending}
            disabled={findRungProblems(rungs).size > 0}
            onClick={() => measure.mutate()}
          >
            {t('ladder.measure')}
          </Button>
        </div>
      )}
      <div role="status">
        {measure.error && <Notice tone="bad" title={toErrorMessage(measure.error)} />}
        {cost && <CostResult cost={cost} />}
      </div>
    </section>
  );
}

function CostResult({ cost }: { cost: LadderCost }) {
  const { t } = useTranslation();
  const percent = (value: number) => t('ladder.percent', { percent: Math.ceil(value) });
  const { decodePercent, rungs, needPercent, freePercent, fits, encoder } = cost;
  const numbers = { need: Math.ceil(needPercent), free: Math.floor(freePercent) };
  return (
    <div className={classes.result}>
      <FactList
        facts={[
          { term: t('ladder.decoding'), value: percent(decodePercent) },
          ...rungs.map((rung) => ({ term: `${rung.lines}p, ${encoder}`, value: percent(rung.percent) })),
        ]}
      />
      <Notice tone={fits ? 'ok' : 'warn'} title={t(fits ? 'ladder.fits' : 'ladder.fitsNot', numbers)} />
    </div>
  );
}
