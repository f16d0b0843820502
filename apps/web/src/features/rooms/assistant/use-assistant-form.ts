import { type Room, roomsApi } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSettingsForm } from '../../../components/settings-form/use-settings-form.ts';
import { client } from '../../../lib/api.ts';
import { roomsKey } from '../rooms-queries.ts';
import {
  type AssistantDraft,
  type AssistantProblem,
  type AssistantTab,
  assistantProblem,
  toDraft,
  toProviderFacts,
  toRoomChange,
} from './assistant-draft.ts';

/** The settings of the assistant of one room: in several tabs, and saved together. */
export function useAssistantForm(room: Room) {
  const { t } = useTranslation();
  const [tab, setTab] = useState<AssistantTab>('basic');
  const problemOf = (draft: AssistantDraft) => assistantProblem(draft, toProviderFacts(room));
  const form = useSettingsForm<AssistantDraft, AssistantProblem>({
    saved: toDraft(room),
    check: (draft) => {
      const found = problemOf(draft);
      if (found) setTab(found.tab);
      return found;
    },
    save: (draft) => client.call(roomsApi.update, { uuid: room.uuid, ...toRoomChange(draft) }),
    // The mask of a new key is the server's to make.
    settle: (queries) => queries.invalidateQueries({ queryKey: roomsKey }),
    done: t('helper.setOk'),
  });
  return {
    ...form,
    tab,
    setTab,
    checkProvider: () => problemOf(form.value)?.tab !== 'provider' || form.check(),
  };
}
export type AssistantForm = ReturnType<typeof useAssistantForm>;
