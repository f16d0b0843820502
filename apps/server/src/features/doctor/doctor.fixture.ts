import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DoctorCheck } from '@weir/contract';
import { createLog } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { systemClock } from '../../core/clock.ts';
import type { DoctorContext } from './check.ts';
import { Doctor, type Visitor } from './doctor.ts';

export const nobody: Visitor = { name: '', pageHost: '', browserMs: undefined, browserZone: '' };

/** Doctor of a machine whose slow or unusual parts are replaced. */
export function openDoctor(
  change: Partial<DoctorContext> & { readonly only?: readonly DoctorCheck[] } = {},
  env: Record<string, string> = {},
) {
  const log = createLog('test', 'error');
  log.level = 'silent';
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-doctor-'));
  mkdirSync(join(dataDir, 'config'));
  const doctor = new Doctor({
    config: parseConfig({ WEIR_DATA: dataDir, ...env }, { cwd: dataDir, version: '1.2.3' }),
    clock: systemClock,
    mediaServer: { health: () => Promise.reject(new Error('away')) },
    encoders: { chosen: async () => undefined },
    ffmpeg: { read: async () => ({ name: 'ffmpeg', state: 'there', version: '7.1', lacks: [] }) },
    enginePid: () => 0,
    hide: (text) => text,
    log,
    ...change,
  });
  const run = async (visitor: Partial<Visitor> = {}) => {
    doctor.start({ ...nobody, ...visitor });
    await doctor.finished();
    return new Map(doctor.report.findings.map((finding) => [finding.check, finding]));
  };
  return { doctor, run, dataDir };
}
