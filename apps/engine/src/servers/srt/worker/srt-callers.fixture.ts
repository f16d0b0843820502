import { quietLog } from '../../../quiet-log.fixture.ts';
import type { AskNote, WorkerNote } from '../../../workers/link/notes.ts';
import { ClientReports } from '../../../workers/worker/client-reports.ts';
import { MirroredStreams } from '../../../workers/worker/mirrored-streams.ts';
import { RemoteAdmission } from '../../../workers/worker/remote-admission.ts';
import type { Names } from './callers/srt-caller.ts';
import { loadSrtLibrary } from './libsrt/srt-library.ts';
import { SrtCallers } from './srt-callers.ts';

const settings = { passphrase: '', library: '', isFiltered: true, latencyMs: 200, roomBytes: 2 ** 30 };

/** SRT worker in this process: real sockets, and an engine that admits everyone. */
export async function openCallers(names: Names): Promise<{ port: number; close: () => Promise<void> }> {
  const link = {
    queuedBytes: 0,
    frame: () => undefined,
    tell: (note: WorkerNote | AskNote) => {
      if (note.type === 'ask') admission.onNote({ type: 'admitted', client: note.client, feed: undefined });
    },
  };
  const reports = new ClientReports(link.tell, false);
  const streams = new MirroredStreams(() => undefined);
  const admission = new RemoteAdmission({ link, reports, streams });
  const log = quietLog.child({}, { level: 'fatal' });
  const library = await loadSrtLibrary('');
  const callers = new SrtCallers({ library, settings, names, canWait: () => false, admission, log });
  const port = await callers.listen({ host: '127.0.0.1', port: 0 });
  const close = async () => {
    await callers.close();
    reports.close();
  };
  return { port, close };
}
