import type { Alert, UploadBacklog } from '@weir/contract';

/** Files that a storage does not take. That some wait their turn is how uploads are. */
export function uploadAlert(owner: string, place: Alert['place'], backlog: UploadBacklog): Alert[] {
  const { files, since, failure, lost } = backlog;
  if (files === 0 || (failure === '' && lost === 0)) return [];
  const severity = lost > 0 ? 'bad' : 'warn';
  return [
    {
      kind: 'upload',
      severity,
      since,
      count: files,
      place,
      subject: owner,
      label: '',
      cause: failure,
    },
  ];
}
