import { Button } from '@mantine/core';
import { type Outlet, parseSlotNumber } from '@weir/contract';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { formatBitrate, formatNumber } from '../figures/format-figures.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import { SideSheet } from '../ui/layout/side-sheet.tsx';
import { adviseBitrate, type PublishedVideo } from './destination/bitrate-advice.ts';
import { DestinationFields } from './destination/destination-fields.tsx';
import { type OwnServer, ownStreamName, suggestStreamName } from './destination/own-destination.ts';
import { usePresetTitle } from './destination/platforms.ts';
import { PresetTiles } from './destination/preset-tiles.tsx';
import {
  findPreset,
  findPresetSlot,
  isCustomSlot,
  type Preset,
  presetFacts,
  slotPreset,
} from './destination/presets.ts';
import { findDraftProblems, type OutletDraft, toOutlet } from './outlet-draft.ts';
import classes from './outlet-sheet.module.css';
import { findFreeSlot, type SlotView } from './slots.ts';
import { type SendOutlet, useOutletActions } from './use-outlet-actions.ts';

/** Fields that a feature adds for its source. */
export interface SourcePart<Slot extends Outlet> {
  readonly render: (form: {
    readonly slot: Slot;
    readonly edit: (change: Partial<Slot>) => void;
    readonly problem: string | undefined;
    /** Slot that holds sources while they are entered. */
    readonly holder: string;
    /** Called when the server has a source for the holder. */
    readonly onHeld: () => void;
  }) => ReactNode;
  /** Problem that prevents saving. */
  readonly problem?: (slot: Slot) => string | undefined;
  /** Name of the source in texts. */
  readonly titleOf?: (slot: Slot) => string | undefined;
  /** Measurements of a live source, to compare with what a platform recommends. */
  readonly published?: (slot: Slot) => (PublishedVideo & { readonly name: string }) | undefined;
}

interface OutletSheetProps<Slot extends Outlet> {
  /** Slot to edit; undefined adds one. */
  view: SlotView<Slot> | undefined;
  /** Platform to begin with. */
  asked: Preset | undefined;
  /** All slots except the one that only holds a source. */
  views: readonly SlotView<Slot>[];
  /** Slot for sources while they are entered. */
  holder: string;
  /** Defaults of the feature's own fields. */
  blank: Omit<Slot, keyof Outlet>;
  source: SourcePart<Slot>;
  send: SendOutlet<Slot>;
  /** Set if slots may push to this server, which is then the first choice. */
  own: OwnServer | undefined;
  /** Default label of a numbered slot. */
  slotName: (number: number) => string;
  title: string;
  sourceStep: { readonly title: string; readonly hint: string };
  opened: boolean;
  onClose: () => void;
}

/** Adds or edits a destination: source first, target second. Nothing is saved before a button says so. */
export function OutletSheet<Slot extends Outlet>(props: OutletSheetProps<Slot>) {
  const { view, holder, source, send, own, title, sourceStep, opened, onClose } = props;
  const { t } = useTranslation();
  const formId = useId();
  const [isHeld, setIsHeld] = useState(false);
  const form = useSheetForm(props);
  const { draft, problems, slot, isRunning } = form;
  /** The holder was only needed while the sheet was open. */
  const letGo = async (kept: string | undefined) => {
    if (isHeld && holder !== kept && holder !== view?.platform) await send.remove(holder).catch(() => undefined);
  };
  const actions = useOutletActions({
    send: {
      ...send,
      update: async (saved: Slot) => {
        await send.update(saved);
        await letGo(saved.platform);
      },
    },
    onSaved: onClose,
  });
  const submit = (enabled: boolean) => {
    if (!form.check() || actions.isBusy) return;
    const saved = { ...slot, ...form.outlet, enabled };
    if (enabled && !isRunning) actions.toggle(saved);
    else actions.save(saved);
  };
  const leave = () => {
    void letGo(undefined).then(() => isHeld && actions.refresh());
    onClose();
  };
  const startsBusy = { loading: actions.isToggling, disabled: actions.isBusy };
  const saveBusy = { loading: actions.isSaving, disabled: actions.isBusy };
  return (
    <SideSheet
      opened={opened}
      onClose={leave}
      title={title}
      footer={
        view?.saved?.server ? (
          <>
            <Button {...saveBusy} type="submit" form={formId}>
              {isRunning ? t('plat.com.saveRestart') : t('helper.update')}
            </Button>
            <Button variant="default" onClick={leave}>
              {t('helper.cancel')}
            </Button>
          </>
        ) : (
          <>
            <Button {...startsBusy} type="submit" form={formId}>
              {t('plat.com.start')}
            </Button>
            <Button variant="default" {...saveBusy} onClick={() => submit(false)}>
              {t('plat.com.saveOnly')}
            </Button>
          </>
        )
      }
    >
      <form
        id={formId}
        noValidate
        className={classes.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit(view?.saved?.server ? isRunning : true);
        }}
      >
        <Step number={1} title={sourceStep.title} hint={sourceStep.hint}>
          {source.render({
            slot,
            edit: form.editSource,
            problem: form.sourceProblem,
            holder,
            onHeld: () => setIsHeld(true),
          })}
        </Step>
        <Step number={2} title={t('plat.com.target')} hint={t('plat.com.targetHint')}>
          <PresetTiles value={draft.preset} hasOwn={own !== undefined} onChange={form.choosePreset} />
          <DestinationFields draft={draft} problems={problems} needsLabel={form.needsLabel} edit={form.edit} />
          <AdviceNote preset={draft.preset} published={source.published?.(slot)} />
        </Step>
      </form>
    </SideSheet>
  );
}

interface StepProps {
  number: number;
  title: string;
  hint: string;
  children: ReactNode;
}

function Step({ number, title, hint, children }: StepProps) {
  const id = useId();
  return (
    <section className={classes.step} aria-labelledby={id}>
      <h3 className={classes.head} id={id}>
        <span className={classes.number} aria-hidden="true">
          {number}
        </span>
        {title} <span className={classes.hint}>{hint}</span>
      </h3>
      {children}
    </section>
  );
}

type Typed = Partial<Pick<OutletDraft, 'preset' | 'label' | 'ownName'>>;
type Addresses = Partial<Record<Preset, Partial<Pick<OutletDraft, 'server' | 'secret'>>>>;

/** Typed values over saved and suggested ones. What was typed for one platform is kept while another is looked at. */
function useSheetForm<Slot extends Outlet>(props: OutletSheetProps<Slot>) {
  const { view, asked, views, source, send, own, slotName } = props;
  const { t } = useTranslation();
  const locale = useLocale();
  const titleOf = usePresetTitle();
  // A stream that goes live later does not change the choice.
  const [blank] = useState(props.blank);
  const [typed, setTyped] = useState<Typed>({});
  const [addresses, setAddresses] = useState<Addresses>({});
  const [sourceFields, setSourceFields] = useState<Partial<Slot>>({});
  const [isChecked, setIsChecked] = useState(false);

  const saved = view?.saved?.server ? view.saved : undefined;
  const savedPreset = saved && findPreset(saved, locale, own);
  const preset = typed.preset ?? savedPreset ?? asked ?? (own ? 'own' : firstFreePreset(views, locale));
  const place = view ?? findFreeSlot(views, findPresetSlot(preset, locale));
  const platform = place?.platform ?? '';
  const number = place?.number ?? 1;
  // The contract defines a feature's slot as Outlet plus these fields.
  const slot = {
    ...({ platform, server: '', secret: '', enabled: false, custom: false, label: '', ...blank } as Slot),
    ...view?.saved,
    ...sourceFields,
  };
  const isCustom = isCustomSlot(platform, preset, locale);
  const sourceTitle = source.titleOf?.(slot);
  const isTaken = preset !== 'own' && preset !== 'server' && findPresetSlot(preset, locale) !== platform;
  const suggestedLabel = (): string => {
    if (saved && preset === savedPreset) return saved.label;
    if (!isCustom) return '';
    if (isTaken) return t('plat.com.secondTitle', { platform: titleOf(preset), number });
    if (preset === 'own' && sourceTitle !== undefined) return sourceTitle.replace(/\.\w{2,4}$/, '');
    return parseSlotNumber(send.feature, platform) === undefined ? titleOf(preset) : slotName(number);
  };
  const savedOwnName = saved && own && ownStreamName(saved, own);
  const suggestedOwnName =
    savedOwnName ?? (suggestStreamName(typed.label ?? sourceTitle ?? '') || `${send.feature}-${number}`);
  const savedAddress = preset === savedPreset ? saved : undefined;
  const usualServer = preset === 'own' || preset === 'server' ? '' : presetFacts[preset].server;
  const draft: OutletDraft = {
    preset,
    server: addresses[preset]?.server ?? savedAddress?.server ?? usualServer,
    secret: addresses[preset]?.secret ?? savedAddress?.secret ?? '',
    label: typed.label ?? suggestedLabel(),
    ownName: typed.ownName ?? suggestedOwnName,
  };
  const found = findDraftProblems(draft, { platform, locale, own });
  const sourceProblem = source.problem?.(slot);
  return {
    draft,
    slot,
    outlet: toOutlet(draft, { platform, locale, own }),
    isRunning: saved?.enabled ?? false,
    needsLabel: isCustom,
    problems: isChecked ? found : {},
    sourceProblem: isChecked ? sourceProblem : undefined,
    choosePreset: (chosen: Preset) => {
      // Names belong to the platform they were suggested for.
      setTyped(({ ownName }) => ({ ...(ownName !== undefined && { ownName }), preset: chosen }));
      setIsChecked(false);
    },
    edit: ({ server, secret, ...change }: Partial<OutletDraft>) => {
      if (server !== undefined || secret !== undefined) {
        const typedAddress = { ...(server !== undefined && { server }), ...(secret !== undefined && { secret }) };
        setAddresses((before) => ({ ...before, [preset]: { ...before[preset], ...typedAddress } }));
      }
      setTyped((before) => ({ ...before, ...change }));
    },
    editSource: (change: Partial<Slot>) => setSourceFields((before) => ({ ...before, ...change })),
    check: () => {
      setIsChecked(true);
      return Object.keys(found).length === 0 && sourceProblem === undefined;
    },
  };
}

/** The first platform that is not set up yet, in the order of the language. */
function firstFreePreset<Slot extends Outlet>(views: readonly SlotView<Slot>[], locale: string): Preset {
  const free = views.find(({ saved, platform }) => saved === undefined && slotPreset(platform, locale));
  return (free && slotPreset(free.platform, locale)) ?? 'server';
}

interface AdviceNoteProps {
  preset: Preset;
  /** The chosen source while it is live. */
  published: (PublishedVideo & { readonly name: string }) | undefined;
}

/** Compares the source with what the platform recommends. */
function AdviceNote({ preset, published }: AdviceNoteProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const titleOf = usePresetTitle();
  if (!published || preset === 'own' || preset === 'server') return null;
  const advice = adviseBitrate(preset, published);
  if (!advice) return null;
  const { verdict, height, fps, least, most } = advice;
  const mega = (kbps: number) => formatNumber(kbps / 1000, locale, 1);
  const [platform, name] = [titleOf(preset), published.name];
  return (
    <Notice tone={verdict === 'fits' ? 'ok' : 'warn'} title={t(`plat.advice.${verdict}`, { platform })}>
      <p>
        {t('plat.advice.text', {
          height,
          fps,
          least: mega(least),
          most: mega(most),
          name,
          bitrate: formatBitrate(published.kbps, locale),
        })}
      </p>
    </Notice>
  );
}
