import { type Outlet, serverProblem } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../settings-form/use-draft.ts';
import { isStreamName, type OwnServer, ownStreamName } from './destination/own-destination.ts';

/** Fields with validation. `source` is the feature's own part. */
type FieldName = 'source' | 'server' | 'label';
type Problems = Partial<Record<FieldName, string>>;

interface Options<Slot extends Outlet> {
  /** Saved slot or its defaults. */
  readonly base: Slot;
  /** Destinations other than named platforms need a label. */
  readonly isOwn: boolean;
  /** Problem of the feature's own part. */
  readonly sourceProblem: ((slot: Slot) => string | undefined) | undefined;
  /** Set if this server may be a destination. */
  readonly own: OwnServer | undefined;
}

export interface OutletForm<Slot extends Outlet> {
  readonly value: Slot;
  readonly problems: Problems;
  readonly isChanged: boolean;
  /** True if the draft changes more than the label, so that it affects a running push. */
  readonly isEffective: boolean;
  edit(change: Partial<Slot>): void;
  /** Shows problems; true if there are none. */
  check(): boolean;
  /** Drops the draft after a save. */
  discard(): void;
}

/** Draft of a destination with its validation. */
export function useOutletForm<Slot extends Outlet>(options: Options<Slot>): OutletForm<Slot> {
  const { base, isOwn, sourceProblem, own } = options;
  const { t } = useTranslation();
  const { value, changed, edit, discard: discardDraft } = useDraft(base);
  const [isChecked, setIsChecked] = useState(false);

  const problemsOf = (): Problems => {
    const source = sourceProblem?.(value);
    const name = own && ownStreamName(value, own);
    const isNameless = name !== undefined && !isStreamName(name);
    const server = serverProblem(value.server);
    const needsLabel = (isOwn || value.custom) && value.label.trim() === '';
    return {
      ...(source !== undefined && { source }),
      ...(isNameless && { server: t('plat.com.ownNameWrong') }),
      ...(server !== undefined && { server: t(server === 'missing' ? 'plat.com.addr' : `plat.com.${server}`) }),
      ...(needsLabel && { label: t('plat.com.label') }),
    };
  };
  return {
    value,
    problems: isChecked ? problemsOf() : {},
    isChanged: changed.length > 0,
    isEffective: changed.some((name) => name !== 'label' && name !== 'custom'),
    edit,
    check: () => {
      setIsChecked(true);
      return Object.keys(problemsOf()).length === 0;
    },
    discard: () => {
      discardDraft();
      setIsChecked(false);
    },
  };
}

/** Cast: TypeScript cannot prove that every extension of Outlet has these fields. */
export function toSlotChange<Slot extends Outlet>(change: Partial<Outlet>): Partial<Slot> {
  return change as Partial<Slot>;
}
