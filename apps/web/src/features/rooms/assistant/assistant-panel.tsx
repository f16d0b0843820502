import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AiCapability, type Room, roomsApi } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { AiSettingsLink } from '../../../components/ai/ai-reason.tsx';
import { PrivacyLines } from '../../../components/ai/privacy-lines.tsx';
import { useAnswerers } from '../../../components/ai/use-answerers.ts';
import { client } from '../../../lib/api.ts';
import { notify } from '../../../lib/notify.ts';
import { roomsKey } from '../rooms-queries.ts';
import { toProviderFacts } from './assistant-draft.ts';
import { AssistantSettings } from './assistant-settings.tsx';
import { RoomUsage } from './room-usage.tsx';

/** Assistant of a room: provider, today's usage and settings. */
export function AssistantPanel({ room }: { room: Room }) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
        <WhereWordsGo room={room} />
        <RoomUsage uuid={room.uuid} />
      </SimpleGrid>
      {room.assistant ? <AssistantSettings room={room} /> : <Disabled room={room} />}
    </Stack>
  );
}

/** Providers that recognize, answer and speak with the saved settings. */
function WhereWordsGo({ room }: { room: Room }) {
  const { t } = useTranslation();
  const answerers = useAnswerers(toProviderFacts(room), room.aiAsrLanguage);
  const uses: Partial<Record<AiCapability, boolean>> = {
    transcribe: room.aiAsrEnabled,
    chat: room.aiChatEnabled,
    speak: room.aiTtsEnabled && room.aiChatEnabled,
  };
  const needs = (['transcribe', 'chat', 'speak'] as const).filter((need) => uses[need]);
  if (!answerers || needs.length === 0) return null;
  return (
    <Stack gap="xs" maw={560} component="section" aria-label={t('rooms.assistant.goes')}>
      <Text size="sm" fw={600}>
        {t('rooms.assistant.goes')}
      </Text>
      <PrivacyLines needs={needs} answerers={answerers} />
      {needs.some((need) => answerers[need].by === 'nobody') && (
        <Text size="sm">
          <AiSettingsLink />
        </Text>
      )}
    </Stack>
  );
}

function Disabled({ room: { uuid } }: { room: Room }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const enable = useMutation({
    mutationFn: () => client.call(roomsApi.update, { uuid, assistant: true }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: roomsKey });
      notify.success(t('rooms.assistant.enabled'));
    },
  });
  return (
    <Stack gap="md" align="flex-start" maw={560}>
      <Text size="sm">{t('rooms.assistant.offText')}</Text>
      <Button loading={enable.isPending} onClick={() => enable.mutate()}>
        {t('rooms.assistant.enable')}
      </Button>
    </Stack>
  );
}
