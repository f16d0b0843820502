import { ProgramInput, type ProgramRow } from '@weir/contract';

type Kind = ProgramInput['kind'];

export function anInput(kind: Kind, facts: Partial<ProgramInput> = {}): ProgramInput {
  return ProgramInput.parse({ id: kind, kind, ...facts });
}

export function aState(id: string, facts: Partial<ProgramRow['states'][number]> = {}): ProgramRow['states'][number] {
  return {
    id,
    state: 'good',
    fit: 'same',
    isOnAir: false,
    silentMs: 0,
    goodMs: 60_000,
    kbps: 2500,
    fps: 25,
    video: 'H264 1280x720',
    audio: 'AAC',
    protocol: 'rtmp',
    fault: '',
    ...facts,
  };
}

/** Main encoder on air, a healthy backup and a slate. */
export function aProgram(facts: Partial<ProgramRow> = {}): ProgramRow {
  return {
    uuid: 'p1',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    enabled: true,
    failMs: 1000,
    isReturning: true,
    returnSeconds: 5,
    leastSeconds: 10,
    slateAfterMs: 2000,
    slateSeconds: 0,
    blackSeconds: 0,
    frozenSeconds: 0,
    quietSeconds: 0,
    isConforming: false,
    inputs: [anInput('publisher'), anInput('backup', { key: 'backup-key-0123456789' }), anInput('slate')],
    onAir: 'publisher',
    onAirSince: '2026-01-01T00:00:00.000Z',
    armed: '',
    isHeld: false,
    states: [aState('publisher', { isOnAir: true }), aState('backup', { protocol: 'srt', kbps: 2800 })],
    switches: [],
    ...facts,
  };
}
