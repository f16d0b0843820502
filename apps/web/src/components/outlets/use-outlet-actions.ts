import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Outlet, type OutletFeature, outletLimits } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useCooldown } from '../settings-form/use-cooldown.ts';

/** Calls that change a slot. */
export interface SendOutlet<Slot extends Outlet> {
  /** Prefix of the query keys to invalidate. */
  readonly feature: OutletFeature;
  readonly update: (slot: Slot) => Promise<unknown>;
  readonly remove: (platform: string) => Promise<unknown>;
}

export interface OutletActions<Slot extends Outlet = Outlet> {
  /** Blocks other actions on the slot. */
  readonly isBusy: boolean;
  readonly isSaving: boolean;
  readonly isToggling: boolean;
  readonly isRemoving: boolean;
  /** True shortly after a start or stop, because both take time. */
  readonly isLocked: boolean;
  save(slot: Slot): void;
  toggle(slot: Slot): void;
  /** Starts again at once instead of at the next attempt. */
  retry(slot: Slot): void;
  remove(platform: string): void;
  refresh(): void;
}

interface Options<Slot extends Outlet> {
  readonly send: SendOutlet<Slot>;
  readonly onSaved?: () => void;
}

export function useOutletActions<Slot extends Outlet>({ send, onSaved }: Options<Slot>): OutletActions<Slot> {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { isLocked, lock } = useCooldown(outletLimits.lockMs);
  // Refetched before the draft is discarded, so that fields do not flicker.
  const refresh = () => queries.invalidateQueries({ queryKey: [send.feature] });
  const save = useMutation({
    mutationFn: send.update,
    onSuccess: async () => {
      await refresh();
      onSaved?.();
      notify.success(t('plat.com.ok'));
    },
  });
  const toggle = useMutation({
    mutationFn: send.update,
    onSuccess: async (_answer, { enabled }) => {
      await refresh();
      if (enabled) onSaved?.();
      notify.success(enabled ? t('plat.com.started') : t('plat.com.stopped'));
    },
  });
  const retry = useMutation({
    // Saving without a change restarts nothing, so the slot is turned off in between.
    mutationFn: async (slot: Slot) => {
      await send.update({ ...slot, enabled: false });
      return send.update({ ...slot, enabled: true });
    },
    onSuccess: async () => {
      await refresh();
      notify.success(t('plat.com.retried'));
    },
  });
  const remove = useMutation({
    mutationFn: send.remove,
    onSuccess: async () => {
      await refresh();
      onSaved?.();
      notify.success(t('plat.com.removed'));
    },
  });
  const isBusy = save.isPending || toggle.isPending || retry.isPending || remove.isPending;
  return {
    isBusy,
    isLocked,
    isSaving: save.isPending,
    isToggling: toggle.isPending,
    isRemoving: remove.isPending,
    save: (slot) => save.mutate(slot),
    toggle: (slot) => {
      if (isLocked || isBusy) return;
      lock();
      toggle.mutate(slot);
    },
    retry: (slot) => {
      if (isBusy) return;
      lock();
      retry.mutate(slot);
    },
    remove: (platform) => remove.mutate(platform),
    refresh: () => void refresh(),
  };
}
