import type { PreparedFile, SourceRef, SourceType } from '@weir/contract';

/** What a way to a source is given: who takes it, and whether that is going on. */
export interface SourceFormProps {
  isBusy: boolean;
  onPick: (ref: SourceRef) => Promise<unknown>;
}

/** A prepared file as the call wants it back. */
export function toSourceRef(
  file: Pick<PreparedFile, 'name' | 'uuid' | 'target'> & { size?: number },
  type: SourceType,
  path: string,
): SourceRef {
  return { name: file.name, uuid: file.uuid, target: file.target, size: file.size ?? 0, type, path };
}
