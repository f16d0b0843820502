import type { PackageKind } from '../../apps/server/src/releases/release-list.ts';

/** Files of an installed release, and how others take their place. */
export interface Installation {
  readonly kind: PackageKind;
  /** Folder that only root can write to, for what was downloaded. */
  readonly incoming: string;
  /** Makes everything ready that needs no interruption. Throws if the file is not this version. */
  prepare(version: string, file: string): void;
  /** From here on the service starts this version. */
  switchTo(version: string): void;
  /** Names the previous version again. The service does not run. */
  goBack(): void;
  /** The new version stays. */
  tidy(version: string): void;
}

/** The file that was downloaded cannot be installed. */
export class InstallError extends Error {}
