import { parseJson, readStorage, storageKeys, writeStorage } from '../../../lib/browser/browser-storage.ts';

/** Modification time per upload, which tells apart files of the same name and size. */
type Marks = Record<string, number>;

const mostMarks = 100;

/** True if an unfinished upload was of this file, as far as this browser knows. */
export function isSameFile(upload: { uuid: string; name: string; size: number }, file: File): boolean {
  return upload.name === file.name && upload.size === file.size && readMarks()[upload.uuid] === file.lastModified;
}

export function storeUpload(uuid: string, file: File): void {
  const newest = Object.entries(readMarks()).slice(-mostMarks);
  writeStorage(storageKeys.uploads, JSON.stringify({ ...Object.fromEntries(newest), [uuid]: file.lastModified }));
}

export function deleteStoredUpload(uuid: string): void {
  const { [uuid]: _gone, ...rest } = readMarks();
  writeStorage(storageKeys.uploads, JSON.stringify(rest));
}

function readMarks(): Marks {
  const marks = parseJson(readStorage(storageKeys.uploads));
  return typeof marks === 'object' && marks !== null ? (marks as Marks) : {};
}
