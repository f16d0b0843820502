import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type Outlet, type OutletFeature, type OutletRow, outletLimits, outletProcessKey } from '@weir/contract';
import { type FormEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ProcessState } from '../processes/process-state.tsx';
import { IconExternalLink } from '../ui/icons.ts';
import { SecretField } from '../ui/secret-field.tsx';
import { StatusLabel } from '../ui/status-label.tsx';
import { type OutletForm, useOutletForm } from './outlet-form.ts';
import classes from './outlet-panel.module.css';
import { type PlatformTexts, useOutletTitle, usePlatformTexts } from './platforms.ts';
import { RemoveOutlet } from './remove-outlet.tsx';
import type { SlotView } from './slots.ts';
import { type SendOutlet, useOutletActions } from './use-outlet-actions.ts';

/** The part of the form that a feature adds: what is sent. */
export interface SourcePart<Slot extends Outlet> {
  readonly render: (form: {
    readonly slot: Slot;
    readonly edit: (change: Partial<Slot>) => void;
    readonly problem: string | undefined;
  }) => ReactNode;
  /** What keeps a slot from being saved. */
  readonly problem?: (slot: Slot) => string | undefined;
}

export interface OutletPanelProps<Slot extends Outlet> {
  view: SlotView<Slot>;
  /** What it does now; undefined for a slot that was never saved. */
  row: OutletRow | undefined;
  /** What a slot has at first. */
  blank: Slot;
  feature: OutletFeature;
  source: SourcePart<Slot>;
  send: SendOutlet<Slot>;
  /** What helps while there is nothing to send. */
  waiting?: string;
  /** Shows a stream of this server. */
  preview: (stream: string) => ReactNode;
}

/** One destination: what it does, where it pushes to, and what. Saving and starting are two things. */
export function OutletPanel<Slot extends Outlet>(props: OutletPanelProps<Slot>) {
  const { view, row, blank, feature, source, send, waiting, preview } = props;
  const { t } = useTranslation();
  const title = useOutletTitle()(view.saved ?? blank);
  const processKey = outletProcessKey(feature, view.platform);
  const texts = usePlatformTexts()(view.platform);
  const base = view.saved ?? blank;
  const form = useOutletForm({ base, isOwn: texts === undefined, sourceProblem: source.problem });
  const { value, edit, problems } = form;
  const actions = useOutletActions({ send, onSaved: form.settle });
  const isOn = view.saved?.enabled ?? false;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.check() && !actions.isBusy) actions.save({ ...value, enabled: isOn });
  };
  const toggle = () => {
    // A stop must not fail because of something half typed: what was typed stays, and is not saved by it.
    if (isOn) actions.toggle({ ...base, enabled: false });
    else if (form.check()) actions.toggle({ ...value, enabled: true });
  };

  return (
    <Stack gap="lg">
      {row && (row.process.state !== 'off' || row.process.starts > 0) && (
        <ProcessState report={row.process} processKey={processKey} title={title} isLabelled>
          {waiting && (
            <Text size="sm" c="dimmed">
              {waiting}
            </Text>
          )}
        </ProcessState>
      )}
      <div className={classes.columns}>
        <form onSubmit={submit} noValidate className={classes.form}>
          <Stack gap="md">
            <LabelField form={form} isOwn={texts === undefined} />
            {source.render({ slot: value, edit, problem: problems.source })}
            <DestinationFields form={form} texts={texts} />
            <Group gap="sm">
              <Button
                type="button"
                variant={isOn ? 'default' : 'filled'}
                loading={actions.isToggling}
                disabled={actions.isLocked || actions.isBusy}
                onClick={toggle}
              >
                {isOn ? t('plat.com.stop') : t('plat.com.start')}
              </Button>
              <Button
                type="submit"
                variant={isOn && form.isChanged ? 'filled' : 'default'}
                loading={actions.isSaving}
                disabled={!form.isChanged && view.saved !== undefined}
              >
                {isOn && form.isEffective ? t('plat.com.saveRestart') : t('helper.update')}
              </Button>
              {form.isChanged && <StatusLabel tone="warn" word={t('helper.unsaved')} />}
              {view.saved && (
                <span className={classes.end}>
                  <RemoveOutlet outlet={view.saved} actions={actions} />
                </span>
              )}
            </Group>
          </Stack>
        </form>
        {row?.outputStream !== undefined && row.process.state === 'live' && (
          <div className={classes.preview}>
            <Text size="sm" fw={500} mb={4}>
              {t('plat.com.preview', { stream: row.outputStream })}
            </Text>
            {preview(row.outputStream)}
          </div>
        )}
      </div>
    </Stack>
  );
}

const inputOrder: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

function LabelField<Slot extends Outlet>({ form, isOwn }: { form: OutletForm<Slot>; isOwn: boolean }) {
  const { t } = useTranslation();
  const { value, edit, problems } = form;
  const isNeeded = isOwn || value.custom;
  return (
    <TextInput
      size="md"
      label={t('plat.com.name')}
      description={isNeeded ? t('plat.com.nameNeeded') : t('plat.com.name2')}
      inputWrapperOrder={inputOrder}
      maxLength={outletLimits.labelCharacters}
      value={value.label}
      onChange={(event) => edit(only<Slot>({ label: event.currentTarget.value }))}
      error={problems.label}
    />
  );
}

interface DestinationProps<Slot extends Outlet> {
  form: OutletForm<Slot>;
  texts: PlatformTexts | undefined;
}

function DestinationFields<Slot extends Outlet>({ form, texts }: DestinationProps<Slot>) {
  const { t } = useTranslation();
  const { value, edit, problems } = form;
  const listId = useId();
  // What a platform asks for, unless somebody chose to push elsewhere from its slot.
  const platform = value.custom ? undefined : texts;
  const link = platform && (
    <Anchor href={platform.link} size="sm" target="_blank" rel="noreferrer" className={classes.link}>
      {platform.linkWord}
      <IconExternalLink size={14} aria-hidden />
    </Anchor>
  );
  return (
    <>
      <TextInput
        size="md"
        label={platform ? t('plat.com.server2', { platform: platform.title }) : t('plat.com.server')}
        description={
          platform ? (
            <>
              {t('plat.com.server4', { platform: platform.title })} {link}
            </>
          ) : (
            t('plat.com.serverTip')
          )
        }
        placeholder={platform?.example ?? t('plat.com.example')}
        inputWrapperOrder={inputOrder}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={outletLimits.serverCharacters}
        {...(platform && /^rtmps?:\/\/[\w.-]+/.test(platform.example) && { list: listId })}
        value={value.server}
        onChange={(event) => edit(only<Slot>({ server: event.currentTarget.value }))}
        error={problems.server}
      />
      {platform && (
        <datalist id={listId}>
          <option value={platform.example} />
        </datalist>
      )}
      <SecretField
        label={t('plat.com.key')}
        description={platform ? t('plat.com.key2', { platform: platform.title }) : t('plat.com.keyTip')}
        value={value.secret}
        onChange={(secret) => edit(only<Slot>({ secret }))}
      />
      {texts && (
        <Checkbox
          styles={{ description: { lineHeight: 1.45 } }}
          label={t('plat.com.custom2')}
          description={t('plat.com.customTip', { platform: texts.title })}
          checked={value.custom}
          onChange={(event) => edit(only<Slot>({ custom: event.currentTarget.checked }))}
        />
      )}
    </>
  );
}

/** A change of fields that every slot has; the compiler cannot see that any extension of Outlet has them. */
function only<Slot extends Outlet>(change: Partial<Outlet>): Partial<Slot> {
  return change as Partial<Slot>;
}
