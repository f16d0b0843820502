import { Button } from '@mantine/core';
import type { Outlet, OutletRow } from '@weir/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { DataAge } from '../streams/data-age.tsx';
import { type Freshness, StaleChip } from '../ui/feedback/stale-chip.tsx';
import { StatePill } from '../ui/feedback/state-pill.tsx';
import { FlowList, LoadingRows } from '../ui/layout/flow-row.tsx';
import { PageHead } from '../ui/layout/page-head.tsx';
import { usePanelLink } from '../ui/layout/use-panel-link.ts';
import { IconPlus } from '../ui/theme/icons.ts';
import type { OwnServer } from './destination/own-destination.ts';
import { type Preset, slotPreset } from './destination/presets.ts';
import { EmptyList } from './empty-list.tsx';
import { summariseRows } from './flow-view.ts';
import { OutletItem } from './outlet-item.tsx';
import { OutletSheet, type SourcePart } from './outlet-sheet.tsx';
import { findFreeSlot, listSlots, randomSlotId, savedSlots, statusKey } from './slots.ts';
import type { SendOutlet } from './use-outlet-actions.ts';

interface Answer<Data> extends Freshness {
  readonly data: Data | undefined;
}

export interface OutletListProps<Slot extends Outlet, Row extends OutletRow> {
  slots: Answer<Record<string, Slot>>;
  rows: Answer<Row[]>;
  /** Number of slots including named platforms; undefined until known. */
  limit: number | undefined;
  send: SendOutlet<Slot>;
  /** Defaults of the feature's own fields. */
  blank: Omit<Slot, keyof Outlet>;
  source: SourcePart<Slot>;
  /** Source of a row, as text. */
  from: (slot: Slot, row: Row | undefined) => string;
  picture: (slot: Slot, row: Row | undefined) => ReactNode;
  /** More about the source, for an opened row. */
  facts?: (slot: Slot, row: Row | undefined) => ReactNode;
  /** Set if slots may push to this server. */
  own?: OwnServer | undefined;
  /** Renders the result of a slot that is a stream on this server. */
  preview: (stream: string) => ReactNode;
  texts: OutletListTexts;
}

interface OutletListTexts {
  readonly title: string;
  readonly purpose: string;
  readonly add: string;
  readonly edit: string;
  /** Heading of the names. */
  readonly head: string;
  readonly help: ReactNode;
  readonly empty: { readonly art: ReactNode; readonly text: string };
  readonly sourceStep: { readonly title: string; readonly hint: string };
  /** Hint for a row without media. */
  readonly waiting: string;
  /** Default label of a numbered slot. */
  readonly slot: (number: number) => string;
}

/** Page of things that send a stream on: rows first, adding and editing in a sheet. */
export function OutletList<Slot extends Outlet, Row extends OutletRow>(props: OutletListProps<Slot, Row>) {
  const { slots, rows, limit, send, blank, source, own, texts } = props;
  const { t } = useTranslation();
  const freshId = useFreshIds();
  const sheet = useSheet();
  const { asked } = sheet;
  const saved = Object.fromEntries(
    Object.entries(slots.data ?? {}).filter(([platform]) => platform !== sheet.holder || asked?.platform === platform),
  );
  const isKnown = slots.data !== undefined && limit !== undefined;
  const views = listSlots(send.feature, saved, limit ?? 0, freshId);
  const free = findFreeSlot(views);
  const listed = savedSlots(views);
  const open = (to: { platform?: string; preset?: Preset | undefined }) =>
    sheet.open({ ...to, holder: free?.platform ?? to.platform ?? '' });
  // `#panel-1` opens the first platform, `#panel-99` shows the list.
  usePanelLink((key) => {
    if (!isKnown || key === statusKey) return;
    const view = views.find((one) => one.key === key);
    if (view?.saved) open({ platform: view.platform });
    else if (view) open({ preset: slotPreset(view.platform, sheet.locale) });
  }, isKnown);
  const add = (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      disabled={!isKnown || free === undefined}
      title={isKnown && free === undefined ? t('plat.com.full', { count: limit }) : undefined}
      onClick={() => open({})}
    >
      {texts.add}
    </Button>
  );
  const view = listed.find(({ platform }) => platform === asked?.platform);
  return (
    <>
      <PageHead
        title={texts.title}
        state={
          isKnown && (
            <>
              <ListPill rows={rows.data ?? []} count={listed.length} />
              <RowsAge rows={rows} />
            </>
          )
        }
        purpose={texts.purpose}
        // The empty page has the same button below its text.
        action={(!isKnown || listed.length > 0) && add}
        help={{ content: texts.help, panel: '0' }}
      />
      <StaleChip {...(slots.failureCount > 0 ? slots : rows)} />
      <section id={`panel-${statusKey}`} data-key={statusKey} tabIndex={-1} aria-label={t('plat.com.status')}>
        {!isKnown && slots.failureCount === 0 && <LoadingRows />}
        {isKnown && listed.length === 0 && <EmptyList {...texts.empty} action={add} />}
        {isKnown && listed.length > 0 && (
          <FlowList
            label={texts.title}
            heads={[texts.head, t('plat.com.state'), t('process.numbers.kbps'), t('plat.com.on')]}
          >
            {listed.map((one) => (
              <OutletItem
                key={one.platform}
                view={one}
                row={rows.data?.find(({ platform }) => platform === one.platform)}
                onEdit={() => open({ platform: one.platform })}
                {...props}
              />
            ))}
          </FlowList>
        )}
      </section>
      {asked && (
        <OutletSheet
          key={sheet.opening}
          opened={sheet.isOpen}
          onClose={sheet.close}
          view={view}
          asked={asked.preset}
          views={views}
          holder={sheet.holder}
          blank={blank}
          source={source}
          send={send}
          own={own}
          slotName={texts.slot}
          title={view?.saved.server ? texts.edit : texts.add}
          sourceStep={texts.sourceStep}
        />
      )}
    </>
  );
}

interface Asked {
  /** Slot to edit; absent to add one. */
  readonly platform?: string;
  readonly preset?: Preset | undefined;
  readonly holder: string;
}

/** Keeps its content while closing, and resets when opened. */
function useSheet() {
  const locale = useLocale();
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setIsOpen] = useState(false);
  const [opening, setOpening] = useState(0);
  return {
    locale,
    asked,
    isOpen,
    opening,
    holder: isOpen && asked ? asked.holder : '',
    open: (next: Asked) => {
      setAsked(next);
      setOpening((count) => count + 1);
      setIsOpen(true);
    },
    close: () => setIsOpen(false),
  };
}

function ListPill({ rows, count }: { rows: readonly OutletRow[]; count: number }) {
  const { t } = useTranslation();
  const { kind, tone, count: some, total } = summariseRows(rows);
  if (count === 0 || kind === 'none') return null;
  const word = kind === 'off' ? t('plat.count.off') : t(`plat.count.${kind}`, { count: total, some });
  return <StatePill tone={tone} word={word} />;
}

/** Age of the bitrates, once it matters. A query that fails says so itself. */
function RowsAge({ rows }: { rows: Answer<OutletRow[]> }) {
  const isMeasured = rows.data?.some(({ process }) => process.numbers !== null) && rows.failureCount === 0;
  return isMeasured && <DataAge updatedAtMs={rows.dataUpdatedAt} />;
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
