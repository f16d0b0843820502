import { type DubbingGroup, DubbingProject, type DubbingTask } from '@weir/contract';

export const dubbingPath = (name: string) => `/terraform/v1/dubbing/${name}`;

export const film = {
  name: 'film.mp4',
  path: '/data/film.mp4',
  size: 1000,
  uuid: 'film-1',
  target: 'film-1.mp4',
  type: 'file',
  format: { duration: '60', bit_rate: '1000' },
  video: null,
  audio: null,
};

export function project(facts: Partial<DubbingProject> = {}): DubbingProject {
  return DubbingProject.parse({
    uuid: 'project-1',
    title: 'Evening',
    filetype: 'file',
    filepath: 'film.mp4',
    created_at: '2026-01-01T00:00:00.000Z',
    source: 'film-1',
    asr: { aiAsrLanguage: 'en' },
    ...facts,
  });
}

/** Group with this number: two seconds long, with a voice of one and a half. */
export function group(id: number, facts: Partial<DubbingGroup> = {}): DubbingGroup {
  const [start, end] = [id * 3, id * 3 + 2];
  const text = `Sentence ${id}`;
  return {
    uuid: `group-${id}`,
    id,
    start,
    end,
    duration: 2,
    translated: `Satz ${id}`,
    translated_at: '',
    segments: [{ uuid: `segment-${id}`, id, start, end, text, original_start: 0 }],
    corrected: false,
    rephrased: '',
    rephrased_at: '',
    tts: `voice-${id}`,
    tts_at: '',
    tts_duration: 1.5,
    free_space: 0.5,
    fit: 'fits',
    over: 0,
    tempo: 1,
    revision: id + 1,
    cause: null,
    ...facts,
  };
}

export function task(facts: Partial<DubbingTask> = {}, groups: readonly DubbingGroup[] = []): DubbingTask {
  return {
    uuid: 'project-1',
    session: 'session-1',
    status: 'done',
    asr_input_audio: '',
    asr_input_bitrate: 0,
    asr_response: { task: 'transcribe', language: 'en', duration: 60, text: '', groups: [...groups] },
    percent: 100,
    secondsLeft: null,
    cause: null,
    failure: '',
    message: '',
    missing: [],
    cursor: '',
    since: '',
    order: null,
    ...facts,
  };
}
