import { Button, Menu, Stack, Text } from '@mantine/core';
import { isNamedPlatform, type Outlet, type OutletRow, type ProcessState } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { ProcessStateLabel } from '../processes/process-state-label.tsx';
import { PageSkeleton } from '../ui/feedback/page-skeleton.tsx';
import { type Freshness, StaleChip } from '../ui/feedback/stale-chip.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { Accordion, type AccordionItem } from '../ui/layout/accordion.tsx';
import { IconPlus } from '../ui/theme/icons.ts';
import type { OwnServer } from './destination/own-destination.ts';
import { useOutletTitle, usePlatformTexts } from './destination/platforms.ts';
import { OutletPanel, type SourcePart } from './outlet-panel.tsx';
import { OutletTable, type OutletTableTexts } from './outlet-table.tsx';
import { initialKey, listSlots, orderSlots, randomSlotId, type SlotView, statusKey } from './slots.ts';
import type { SendOutlet } from './use-outlet-actions.ts';

interface Answer<Data> extends Freshness {
  readonly data: Data | undefined;
}

interface OutletTabProps<Slot extends Outlet, Row extends OutletRow> {
  slots: Answer<Record<string, Slot>>;
  rows: Answer<Row[]>;
  /** Number of slots including named platforms. */
  limit: number;
  send: SendOutlet<Slot>;
  /** Defaults of the feature's own fields. */
  blank: Omit<Slot, keyof Outlet>;
  source: SourcePart<Slot>;
  /** Source of a slot as shown on its closed panel. */
  summary: (slot: Slot) => string;
  /** Current source for the table. */
  sourceOf: (row: Row) => ReactNode;
  /** Set if slots may push to this server. */
  own?: OwnServer | undefined;
  /** Renders the result of a slot that is a stream on this server. */
  preview: (stream: string) => ReactNode;
  texts: OutletTabTexts;
}

interface OutletTabTexts extends OutletTableTexts {
  readonly intro: { readonly title: string; readonly content: ReactNode };
  /** Hint for a slot without media. */
  readonly waiting?: string;
  /** Default label of a numbered slot. */
  readonly slot: (number: number) => string;
}

/** Tab with destinations: a status table, a panel per configured slot, and a menu to add others. */
export function OutletTab<Slot extends Outlet, Row extends OutletRow>(props: OutletTabProps<Slot, Row>) {
  const { slots, rows } = props;
  const { data } = slots;
  if (!data && slots.failureCount === 0) return <PageSkeleton />;
  if (!data) return <StaleChip {...slots} />;
  // Rendered without waiting for the states.
  return <Panels {...props} saved={data} rows={rows} />;
}

function Panels<Slot extends Outlet, Row extends OutletRow>(
  props: OutletTabProps<Slot, Row> & { saved: Record<string, Slot> },
) {
  const { saved, rows, limit, send, source, sourceOf, texts } = props;
  const { t } = useTranslation();
  const freshId = useFreshIds();
  const itemOf = useSlotItem(props);
  // Fixed when the page opens, so that panels never move.
  const [{ initial, isNew }] = useState({ initial: initialKey(saved), isNew: Object.keys(saved).length === 0 });
  const [added, setAdded] = useState<readonly string[]>([initial]);
  const [asked, setAsked] = useState<{ key: string }>();
  const views = listSlots(send.feature, saved, limit, freshId);
  const { shown, unused } = orderSlots(views, added);
  const rowOf = (platform: string) => rows.data?.find((row) => row.platform === platform);
  const intro = { key: '0', title: texts.intro.title, content: texts.intro.content };
  const items: AccordionItem[] = [
    ...(isNew ? [intro] : []),
    {
      key: statusKey,
      title: t('plat.com.status'),
      help: texts.statusHelp,
      state: rows.failureCount > 0 ? <StaleChip {...rows} /> : <OutletCounts rows={rows.data ?? []} />,
      content: (
        <OutletTable
          rows={inOrderOf(views, rows.data ?? [])}
          feature={send.feature}
          sourceOf={sourceOf}
          texts={texts}
        />
      ),
    },
    ...shown.map((view) => itemOf(view, rowOf(view.platform), source)),
    ...(isNew ? [] : [intro]),
  ];
  return (
    <Stack gap="md">
      <Accordion initial={initial} items={items} asked={asked} />
      <AddOutlet
        unused={unused}
        slotName={texts.slot}
        onAdd={(key) => {
          setAdded([...added, key]);
          setAsked({ key });
        }}
      />
    </Stack>
  );
}

/** Table rows in the order of the panels. */
function inOrderOf<Row extends OutletRow>(views: readonly SlotView<Outlet>[], rows: readonly Row[]): Row[] {
  const places = new Map(views.map(({ platform }, place) => [platform, place]));
  return rows.toSorted((a, b) => (places.get(a.platform) ?? 0) - (places.get(b.platform) ?? 0));
}

function Unset({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

/** Ids of unsaved slots, stable while the page is open. */
function useFreshIds(): (number: number) => string {
  const [ids] = useState(() => new Map<number, string>());
  return (number) => {
    const id = ids.get(number) ?? randomSlotId();
    ids.set(number, id);
    return id;
  };
}

function useSlotItem<Slot extends Outlet, Row extends OutletRow>({
  send,
  blank,
  summary,
  own,
  preview,
  texts,
}: OutletTabProps<Slot, Row>) {
  const { t } = useTranslation();
  const titleOf = useOutletTitle();
  const blankOf = useBlankOutlet();
  return (view: SlotView<Slot>, row: Row | undefined, source: SourcePart<Slot>): AccordionItem => {
    // The contract defines a feature's slot as Outlet plus these fields.
    const first = { ...blankOf(view.platform, texts.slot(view.number)), ...blank } as Slot;
    const slot = view.saved ?? first;
    return {
      key: view.key,
      // Slots without a label keep the default title of their number.
      title: titleOf({ ...slot, label: slot.label.trim() || first.label }),
      // Empty slots show only their title.
      ...(slot.server !== '' && { help: summary(slot) }),
      state: row ? <ProcessStateLabel report={row.process} /> : <Unset text={t('plat.com.unset')} />,
      content: (
        <OutletPanel
          // A different slot under the same number needs a new form.
          key={view.platform}
          view={view}
          row={row}
          blank={first}
          feature={send.feature}
          {...(texts.waiting !== undefined && { waiting: texts.waiting })}
          source={source}
          send={send}
          own={own}
          preview={preview}
        />
      ),
    };
  };
}

interface AddOutletProps {
  unused: readonly SlotView<Outlet>[];
  /** Default label of a numbered slot. */
  slotName: (number: number) => string;
  onAdd: (key: string) => void;
}

/** Menu of unused slots. */
function AddOutlet({ unused, slotName, onAdd }: AddOutletProps) {
  const { t } = useTranslation();
  const textsOf = usePlatformTexts();
  if (unused.length === 0) return null;
  return (
    <div>
      <Menu position="bottom-start" transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
            {t('plat.com.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {unused.map(({ key, platform, number }) => (
            <Menu.Item key={key} onClick={() => onAdd(key)}>
              {isNamedPlatform(platform) ? textsOf(platform)?.title : t('plat.com.addOwn', { slot: slotName(number) })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** Defaults of a new slot. `name` is the label of a numbered slot. */
function useBlankOutlet(): (platform: string, name: string) => Outlet {
  const locale = useLocale();
  return (platform, name) => {
    const isNamed = isNamedPlatform(platform);
    return {
      platform,
      server: '',
      secret: '',
      enabled: false,
      // Kuaishou gives each Chinese user an individual address.
      custom: !isNamed || (platform === 'kuaishou' && locale === 'zh'),
      label: isNamed ? '' : name,
    };
  };
}

/** Counts per state, worst first, shown while the table is closed. */
function OutletCounts({ rows }: { rows: readonly OutletRow[] }) {
  const { t } = useTranslation();
  const count = (...states: ProcessState[]) => rows.filter(({ process }) => states.includes(process.state)).length;
  const failing = count('failing', 'reconnecting');
  const live = count('live');
  if (failing > 0) return <StatusLabel tone="bad" word={t('plat.com.countFailing', { count: failing })} tinted />;
  if (live > 0) return <StatusLabel tone="ok" word={t('plat.com.countLive', { count: live })} tinted />;
  return (
    <Text size="sm" c="dimmed">
      {rows.length === 0 ? t('plat.com.countNone') : t('plat.com.count', { count: rows.length })}
    </Text>
  );
}
