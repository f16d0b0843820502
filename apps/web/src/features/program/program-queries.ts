import { queryOptions } from '@tanstack/react-query';
import { consoleTimes, type ProgramRow, programApi, programLimits } from '@weir/contract';
import { placeText, type WirePlace } from '@weir/streams';
import { client } from '../../lib/api.ts';
import { mountStaleMs, pollUnlessEventsArrive, pollWhileSignedIn } from '../../lib/queries/polling.ts';

export const programsQuery = queryOptions({
  queryKey: ['programs'],
  queryFn: ({ signal }) => client.call(programApi.query, {}, { signal }),
  staleTime: mountStaleMs,
  refetchInterval: pollUnlessEventsArrive(consoleTimes.streamsPollMs),
  refetchOnWindowFocus: true,
  meta: { quiet: true },
});

/** The same with bitrates that are two seconds old at most, for where inputs are shown. Events announce everything else. */
export const watchedProgramsQuery = {
  ...programsQuery,
  refetchInterval: pollWhileSignedIn(consoleTimes.streamsWatchMs),
};

/** Picture of an input, or the reason for its absence. */
export const inputPictureQuery = (uuid: string, input: string) =>
  queryOptions({
    queryKey: ['program-picture', uuid, input],
    queryFn: ({ signal }) => client.image(programApi.preview, { uuid, input }, { signal }),
    refetchInterval: pollWhileSignedIn(2 * programLimits.previewMs),
    staleTime: programLimits.previewMs,
    gcTime: 10 * programLimits.previewMs,
    retry: false,
    meta: { quiet: true },
  });

export function findProgram(programs: readonly ProgramRow[], place: WirePlace): ProgramRow | undefined {
  return programs.find((program) => placeText(program) === placeText(place));
}
