import { createLog } from '@weir/plane';
import { systemClock } from '../core/clock.ts';
import { finishRestore } from './finish-restore.ts';
import { commitStaged } from './restore-folder.ts';

// Child of restore-kill.test.ts: commits what is staged and carries it out, and says when, until it is killed.
const [dataDir = '', manifest = ''] = process.argv.slice(2);
process.stdout.write('begin\n');
await commitStaged(dataDir, JSON.parse(manifest));
process.stdout.write('committed\n');
const config = { dataDir, filesDir: dataDir, store: { kind: 'sqlite' } } as const;
await finishRestore({ config, log: createLog('writer', 'error'), clock: systemClock });
process.stdout.write('done\n');
