import type { Activity, Alert } from '@weir/contract';
import type { HttpApp } from './core/http/http-app.ts';
import type { Task } from './core/task.ts';
import type { SourceHolder } from './media-sources/sources.ts';
import type { Outputs } from './outlets/outputs.ts';
import type { SegmentConsumer } from './segments/segment-feed.ts';
import type { UploadOwner } from './uploads/upload-owner.ts';

/**
 * Part of the control plane, as `app.ts` lists it. It declares what it offers and registers nothing itself: `app.ts` hands the declarations to
 * the mechanisms. Services for other features stand beside these fields.
 */
export interface Feature {
  /** Adds its calls. */
  readonly routes: (http: HttpApp) => void;
  /** By their names; they run from the start of the server to its end. */
  readonly tasks?: Readonly<Record<string, Task>>;
  /** Problems that need a person now. */
  readonly alerts?: () => readonly Alert[] | Promise<readonly Alert[]>;
  /** State of the whole feature by tab of the console; undefined while it is not set up. */
  readonly activity?: Readonly<Record<string, () => Promise<Activity | undefined>>>;
  /** Addresses that it pushes media to. */
  readonly outputs?: Outputs;
  /** Consumers of finished segments. */
  readonly segments?: readonly SegmentConsumer[];
  /** Owners of uploaded files, by the name in their upload jobs. */
  readonly uploads?: Readonly<Record<string, UploadOwner>>;
  /** Sources that must not be deleted. */
  readonly heldSources?: SourceHolder;
  /** Sends its settings to an engine that has just started. */
  readonly engineSettings?: () => Promise<void>;
  /** Settings that may appear in a broadcast report for strangers: no secrets. */
  readonly reported?: () => Promise<Readonly<Record<string, unknown>>>;
  /** Releases resources, after the last task and call. */
  readonly close?: () => Promise<void>;
}
