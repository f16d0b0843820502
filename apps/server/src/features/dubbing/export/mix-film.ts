import { writeFile } from 'node:fs/promises';
import type { DubbingProject } from '@weir/contract';
import { readOutTimeMs, runJobTool } from '../../../process-reports/job-tool.ts';
import { trackLanguage } from '../../../speech/subtitles/track-language.ts';
import { transcriptFile } from '../../../speech/subtitles/transcript-file.ts';
import type { FilmFiles } from '../film/film-files.ts';
import { sourceText, spokenText } from '../script/group-text.ts';
import type { GroupRow } from '../script/rows.ts';
import { assertExportRoom } from './export-room.ts';
import { measureArgs, mixArgs, noGains, readGainDb } from './mix-args.ts';
import { spokenLanguage } from './spoken-language.ts';
import { writeDuckingKey, writeVoices } from './track.ts';

interface FilmMix {
  readonly project: DubbingProject;
  readonly groups: readonly GroupRow[];
  readonly files: FilmFiles;
  readonly film: string;
  /** Where things lie until it is whole. */
  readonly part: (what: MixPart) => string;
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
}

export const mixParts = ['voices', 'key', 'film', 'said', 'spoken'] as const;
type MixPart = (typeof mixParts)[number];

const quietMs = 120_000;
/** Of the whole, in per cent: what is done before the pictures are copied. */
const measuredPercent = 30;

/** Makes the film in its new language, as `part('film')`. */
export async function mixFilm({ project, groups, files, film, part, onPercent, signal }: FilmMix): Promise<void> {
  const filmSeconds = project.format?.duration ?? 0;
  const { background } = project;
  await files.make();
  await assertExportRoom(files.directory, { film, groups, filmSeconds });
  await writeVoices(part('voices'), { files, groups, filmSeconds });
  await writeDuckingKey(part('key'), { files, groups, filmSeconds });
  const { fileOptions } = await import('@weir/process');
  const tracks = { film, fileOptions, voices: part('voices'), key: part('key'), background };

  let gains = noGains;
  const wanted = background === 'off' ? (['voices'] as const) : (['voices', 'film', 'mix'] as const);
  for (const [at, what] of wanted.entries()) {
    const said = await runJobTool({ command: 'ffmpeg', args: measureArgs(tracks, what, gains), quietMs, signal });
    gains = { ...gains, [what]: readGainDb(said.join('\n'), what) };
    onPercent(((at + 1) / wanted.length) * measuredPercent);
  }

  const subtitles = await writeSubtitles(part, project, groups);
  await runJobTool({
    command: 'ffmpeg',
    args: mixArgs({ ...tracks, gains, project, subtitles, output: part('film') }),
    quietMs,
    onOutput: (text) => {
      const outMs = readOutTimeMs(text);
      if (outMs === undefined) return;
      const share = Math.min(1, outMs / 1000 / Math.max(1, filmSeconds));
      onPercent(Math.min(99, measuredPercent + share * (100 - measuredPercent)));
    },
    signal,
  });
}

async function writeSubtitles(part: FilmMix['part'], project: DubbingProject, groups: readonly GroupRow[]) {
  if (groups.length === 0) return [];
  const { trans, asr, format } = project;
  const isTranslating = trans?.aiChatEnabled !== false;
  const spoken = (group: GroupRow) => spokenText(group, isTranslating);
  const write = (path: string, textOf: (group: GroupRow) => string) => {
    const cues = groups.map((group) => ({
      startMs: group.start * 1000,
      endMs: Math.min(group.end, format?.duration ?? group.end) * 1000,
      text: textOf(group),
    }));
    return writeFile(path, transcriptFile(cues, 'srt'), { mode: 0o600 });
  };
  await write(part('said'), sourceText);
  await write(part('spoken'), spoken);
  const said = trackLanguage(asr?.aiAsrLanguage ?? '');
  const other = spokenLanguage(groups.map(spoken).join(' '), trans?.aiChatPrompt ?? '');
  return [
    { path: part('said'), language: said },
    { path: part('spoken'), language: isTranslating ? other : said },
  ];
}
