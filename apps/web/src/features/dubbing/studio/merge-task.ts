import type { DubbingGroup, DubbingTask } from '@weir/contract';

/** A task as it is after an answer that may have only what changed; undefined: the answer does not follow what is known. */
export function mergeTask(before: DubbingTask | undefined, answer: DubbingTask): DubbingTask | undefined {
  const response = answer.asr_response;
  if (answer.since === '' || !response) return answer;
  const known = before?.asr_response?.groups ?? [];
  if (answer.since !== before?.cursor) return undefined;
  if (response.groups.length === 0 && answer.order === null) return withGroups(answer, known);
  const byId = new Map([...known, ...response.groups].map((group) => [group.uuid, group]));
  const order = answer.order ?? known.map(({ uuid }) => uuid);
  const groups = order.flatMap((uuid, id) => {
    const group = byId.get(uuid);
    // Where others came or went before it, it has another number.
    return group ? [group.id === id ? group : { ...group, id }] : [];
  });
  return groups.length === order.length ? withGroups(answer, groups) : undefined;
}

function withGroups(answer: DubbingTask, groups: readonly DubbingGroup[]): DubbingTask {
  return {
    ...answer,
    asr_response: answer.asr_response && { ...answer.asr_response, groups: groups as DubbingGroup[] },
  };
}
