import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type Outlet, type OutletFeature, type OutletRow, outletLimits, outletProcessKey } from '@weir/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ProcessDetails } from '../processes/process-details.tsx';
import { ProcessStatus } from '../processes/process-status.tsx';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { DestinationFields } from './destination/destination-fields.tsx';
import type { OwnServer } from './destination/own-destination.ts';
import { useOutletTitle, usePlatformTexts } from './destination/platforms.ts';
import { type OutletForm, toSlotChange, useOutletForm } from './outlet-form.ts';
import classes from './outlet-panel.module.css';
import type { SlotView } from './slots.ts';
import { type OutletActions, type SendOutlet, useOutletActions } from './use-outlet-actions.ts';

/** Form part that a feature adds for its source. */
export interface SourcePart<Slot extends Outlet> {
  readonly render: (form: {
    readonly slot: Slot;
    readonly edit: (change: Partial<Slot>) => void;
    readonly problem: string | undefined;
  }) => ReactNode;
  /** Problem that prevents saving. */
  readonly problem?: (slot: Slot) => string | undefined;
}

interface OutletPanelProps<Slot extends Outlet> {
  view: SlotView<Slot>;
  /** Running state; undefined for a slot that was never saved. */
  row: OutletRow | undefined;
  /** Defaults of a new slot. */
  blank: Slot;
  feature: OutletFeature;
  source: SourcePart<Slot>;
  send: SendOutlet<Slot>;
  /** Hint while there is nothing to send. */
  waiting?: string;
  /** Set if this server may be a destination. */
  own?: OwnServer | undefined;
  /** Renders a stream of this server. */
  preview: (stream: string) => ReactNode;
}

/** One destination: state, address and source. Saving does not start it. */
export function OutletPanel<Slot extends Outlet>(props: OutletPanelProps<Slot>) {
  const { view, row, blank, feature, source, send, waiting, own, preview } = props;
  const { t } = useTranslation();
  const title = useOutletTitle()(view.saved ?? blank);
  const processKey = outletProcessKey(feature, view.platform);
  const texts = usePlatformTexts()(view.platform);
  const base = view.saved ?? blank;
  const form = useOutletForm({ base, isOwn: texts === undefined, sourceProblem: source.problem, own });
  const { value, edit, problems } = form;
  const actions = useOutletActions({ send, onSaved: form.discard });
  const isOn = view.saved?.enabled ?? false;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.check() && !actions.isBusy) actions.save({ ...value, enabled: isOn });
  };
  const toggle = () => {
    // Stopping sends the saved slot, so that an invalid draft cannot block it; the draft stays.
    if (isOn) actions.toggle({ ...base, enabled: false });
    else if (form.check()) actions.toggle({ ...value, enabled: true });
  };

  return (
    <Stack gap="lg">
      {row && (row.process.state !== 'off' || row.process.starts > 0) && (
        <ProcessDetails report={row.process} title={title}>
          {waiting && (
            <Text size="sm" c="dimmed">
              {waiting}
            </Text>
          )}
        </ProcessDetails>
      )}
      <div className={classes.columns}>
        <form onSubmit={submit} noValidate className={classes.form}>
          <Stack gap="md">
            <LabelField form={form} isOwn={texts === undefined} />
            {source.render({ slot: value, edit, problem: problems.source })}
            <DestinationFields form={form} texts={texts} own={own} suggested={`${feature}-${view.number}`} />
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
              {row && <ProcessStatus report={row.process} processKey={processKey} title={title} />}
            </Group>
            <Group gap="sm">
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

function LabelField<Slot extends Outlet>({ form, isOwn }: { form: OutletForm<Slot>; isOwn: boolean }) {
  const { t } = useTranslation();
  const { value, edit, problems } = form;
  const isNeeded = isOwn || value.custom;
  return (
    <TextInput
      size="md"
      label={t('plat.com.name')}
      description={isNeeded ? t('plat.com.nameNeeded') : t('plat.com.nameHelp')}
      maxLength={outletLimits.labelCharacters}
      value={value.label}
      onChange={(event) => edit(toSlotChange<Slot>({ label: event.currentTarget.value }))}
      error={problems.label}
    />
  );
}

interface RemoveOutletProps {
  outlet: Outlet;
  actions: Pick<OutletActions, 'isRemoving' | 'isBusy' | 'remove'>;
}

/** Deletes a saved slot after a confirmation. */
function RemoveOutlet({ outlet, actions }: RemoveOutletProps) {
  const { t } = useTranslation();
  const name = useOutletTitle()(outlet);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button type="button" variant="subtle" color="gray" disabled={actions.isBusy} onClick={() => setIsAsking(true)}>
        {t('plat.com.remove')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('plat.com.removeTitle', { name })}
        text={outlet.enabled ? t('plat.com.removeLive') : t('plat.com.removeText')}
        action={t('plat.com.remove')}
        busy={actions.isRemoving}
        onConfirm={() => {
          actions.remove(outlet.platform);
          setIsAsking(false);
        }}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
