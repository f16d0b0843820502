/**
 * Collections whose entries are about files of one data directory: whoever has the files has the entries. In a shared
 * database each data directory has its own, named by its id; two machines with one directory on shared storage have one.
 */
const local = new Set([
  'recordings',
  'record-uploads',
  'uploads',
  'cloud-dvr',
  'cloud-vod',
  'transcript-segments',
  'transcript-cues',
  'ocr-segments',
  'dubbing-projects',
  'dubbing-tasks',
]);
const script = 'dubbing-script-';

/** As it is named in the database. */
export function sharedName(collection: string, dataId: string): string {
  return local.has(collection) || collection.startsWith(script) ? `${collection}@${dataId}` : collection;
}

/** The name it has here; undefined for one that is about files of another data directory. */
export function ownName(shared: string, dataId: string): string | undefined {
  const [collection = '', id = dataId] = shared.split('@');
  return id === dataId ? collection : undefined;
}
