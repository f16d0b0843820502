import { type Outlet, serverProblem } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../settings-form/use-draft.ts';
import { isStreamName, type OwnServer, ownStreamName } from './destination/own-destination.ts';

/** Fields that are shown with a complaint. `source`: whatever a feature asks for beside the destination. */
type FieldName = 'source' | 'server' | 'label';
type Problems = Partial<Record<FieldName, string>>;

interface Options<Slot extends Outlet> {
  /** As it was saved, or what a slot begins with. */
  readonly base: Slot;
  /** A destination that is no named platform needs a name. */
  readonly isOwn: boolean;
  /** What keeps the feature's own part from being used. */
  readonly sourceProblem: ((slot: Slot) => string | undefined) | undefined;
  /** This server, where it may be a destination. */
  readonly own: OwnServer | undefined;
}

export interface OutletForm<Slot extends Outlet> {
  readonly value: Slot;
  readonly problems: Problems;
  readonly isChanged: boolean;
  /** What was typed is more than a name: it would change what runs. */
  readonly isEffective: boolean;
  edit(change: Partial<Slot>): void;
  /** Shows what is wrong, and says whether nothing is. */
  check(): boolean;
  /** What was typed is saved now. */
  discard(): void;
}

/** A destination as it is typed, and what keeps it from being used. */
export function useOutletForm<Slot extends Outlet>(options: Options<Slot>): OutletForm<Slot> {
  const { base, isOwn, sourceProblem, own } = options;
  const { t } = useTranslation();
  const { value, changed, edit, discard: forget } = useDraft(base);
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
      forget();
      setIsChecked(false);
    },
  };
}

/** A change of fields that every slot has; the compiler cannot see that any extension of Outlet has them. */
export function toSlotChange<Slot extends Outlet>(change: Partial<Outlet>): Partial<Slot> {
  return change as Partial<Slot>;
}
