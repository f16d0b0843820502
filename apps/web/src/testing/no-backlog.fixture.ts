import type { UploadBacklog } from '@weir/contract';

export const noBacklog: UploadBacklog = { files: 0, bytes: 0, since: '', failure: '', error: '', nextTry: '', lost: 0 };
