import { isNamedPlatform, type Outlet, serverProblem } from '@weir/contract';
import { isStreamName, type OwnServer, toOwnDestination } from './destination/own-destination.ts';
import { isCustomSlot, type Preset } from './destination/presets.ts';

/** Destination as entered; the chosen platform decides which fields count. */
export interface OutletDraft {
  readonly preset: Preset;
  readonly server: string;
  readonly secret: string;
  /** Stream name on this server, for the preset `own`. */
  readonly ownName: string;
  readonly label: string;
}

interface DraftPlace {
  readonly platform: string;
  readonly locale: string;
  readonly own: OwnServer | undefined;
}

/** Common fields of the slot that a draft becomes. */
export function toOutlet(draft: OutletDraft, { platform, locale, own }: DraftPlace): Omit<Outlet, 'enabled'> {
  const { preset, server, secret, ownName, label } = draft;
  const destination = preset === 'own' && own ? toOwnDestination(ownName, own) : { server, secret };
  return { platform, ...destination, custom: isCustomSlot(platform, preset, locale), label: label.trim() };
}

export type DraftProblem = 'missing' | 'scheme' | 'invalid' | 'name' | 'label';
export type DraftProblems = Readonly<Partial<Record<'server' | 'ownName' | 'label', DraftProblem>>>;

export function findDraftProblems(draft: OutletDraft, place: DraftPlace): DraftProblems {
  const { preset, server, ownName, label } = draft;
  const isCustom = isCustomSlot(place.platform, preset, place.locale) || !isNamedPlatform(place.platform);
  const address = preset === 'own' ? undefined : serverProblem(server);
  return {
    ...(preset === 'own' && !isStreamName(ownName) && { ownName: 'name' }),
    ...(address !== undefined && { server: address }),
    ...(isCustom && label.trim() === '' && { label: 'label' }),
  };
}
