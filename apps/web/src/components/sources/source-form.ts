import type { PreparedFile, SourceRef, SourceType } from '@weir/contract';

/** Props of every form that picks a source. */
export interface SourceFormProps {
  isBusy: boolean;
  onPick: (ref: SourceRef) => Promise<unknown>;
}

/** Converts a prepared file to the reference that the call expects. */
export function toSourceRef(
  file: Pick<PreparedFile, 'name' | 'uuid' | 'target'> & { size?: number },
  type: SourceType,
  path: string,
): SourceRef {
  return { name: file.name, uuid: file.uuid, target: file.target, size: file.size ?? 0, type, path };
}
