import type { BackupFault } from '@weir/contract';
import { WeirError } from '../core/errors.ts';

const sentences: Record<BackupFault, (fact: string) => string> = {
  'not-a-backup': () => 'this file is not a backup of Weir',
  'bad-key': () => 'this is not a recovery key: it starts with AGE-SECRET-KEY-1',
  'wrong-key': () => 'this recovery key does not open this backup',
  damaged: () => 'the backup is damaged or incomplete',
  forged: () => 'the backup was not made by a server with this recovery key',
  newer: (version) => `the backup was made by the newer version ${version}: update this server first`,
  older: (format) => `the backup has the format ${format}, which this version no longer reads`,
  'too-large': () => 'the backup is larger than this server accepts',
  'no-space': () => 'the disk has too little space for this backup',
};

/** Why a backup is not restored. Nothing was changed. */
export function refuseBackup(fault: BackupFault, { fact = '', cause }: { fact?: string; cause?: unknown } = {}) {
  return new WeirError(fault === 'too-large' ? 'too_large' : 'invalid_input', sentences[fault](fact), {
    cause,
    why: { kind: `backup-${fault}`, fact },
  });
}
