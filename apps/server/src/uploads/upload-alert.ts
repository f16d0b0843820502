import type { Alert, UploadBacklog } from '@weir/contract';

const places = {
  record: { page: 'scenario', tab: 'record', child: '' },
  dvr: { page: 'scenario', tab: 'others', child: 'dvr' },
  vod: { page: 'scenario', tab: 'others', child: 'vod' },
} as const;

/** Files that a storage does not take. That some wait their turn is how uploads are. */
export function uploadAlert(owner: keyof typeof places, backlog: UploadBacklog): Alert[] {
  const { files, since, failure, lost } = backlog;
  if (files === 0 || (failure === '' && lost === 0)) return [];
  const severity = lost > 0 ? 'bad' : 'warn';
  return [
    {
      ...{ kind: 'upload', severity, since, count: files },
      ...{ place: places[owner], subject: owner, label: '', cause: failure },
    },
  ];
}
