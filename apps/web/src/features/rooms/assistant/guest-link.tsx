import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { type Room, talkLimits } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../../components/ai/language-select.tsx';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';
import { IconExternalLink } from '../../../components/ui/theme/icons.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { RotateRoomDialog } from '../room-dialogs.tsx';
import { type GuestPage, guestLinkUrl, guestPages } from './guest-link-url.ts';

const windowFeatures = 'popup,width=1024,height=768,noopener';

export function GuestLink({ room }: { room: Room }) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { uuid, roomToken, aiAsrLanguage } = room;
  const [wanted, setWanted] = useState(() => ({
    page: 'chat' as GuestPage,
    username: '',
    language: aiAsrLanguage,
    ...stamp(),
  }));
  const [isAsking, setIsAsking] = useState(false);
  const edit = (change: Partial<typeof wanted>) => setWanted({ ...wanted, ...change, ...stamp() });
  const link = guestLinkUrl({ ...wanted, origin: window.location.origin, locale, room: uuid, roomToken });
  return (
    <Stack gap="md" maw={760}>
      {!window.isSecureContext && (
        <Notice tone="warn" title={t('rooms.link.insecure')}>
          <p>{t('rooms.link.insecureText')}</p>
        </Notice>
      )}
      <Radio.Group
        label={t('rooms.link.page')}
        value={wanted.page}
        onChange={(value) => edit({ page: guestPages.find((page) => page === value) ?? 'chat' })}
      >
        <Stack gap="xs" mt="xs">
          {guestPages.map((page) => (
            <Radio key={page} value={page} label={t(`rooms.link.${page}`)} description={t(`rooms.link.${page}Help`)} />
          ))}
        </Stack>
      </Radio.Group>
      {wanted.page !== 'transcript' && (
        <Stack gap="md" maw={560}>
          <TextInput
            size="md"
            label={t('rooms.link.name')}
            description={t('rooms.link.nameHelp')}
            placeholder={t('rooms.link.you')}
            maxLength={talkLimits.nameCharacters}
            autoComplete="off"
            value={wanted.username}
            onChange={(event) => edit({ username: event.currentTarget.value })}
          />
          <LanguageSelect
            label={t('rooms.link.language')}
            help={t('rooms.link.languageHelp')}
            none={t('rooms.link.languageRoom')}
            value={wanted.language}
            onChange={(language) => edit({ language })}
          />
        </Stack>
      )}
      <CopyField
        label={t('rooms.link.label')}
        value={link}
        secret={roomToken}
        qrValue={link}
        help={t('rooms.link.help')}
      />
      <Group gap="sm">
        <Button
          leftSection={<IconExternalLink size={16} aria-hidden />}
          onClick={() => window.open(link, '_blank', windowFeatures)}
        >
          {t('rooms.link.open')}
        </Button>
        <Button variant="default" onClick={() => setIsAsking(true)}>
          {t('rooms.rotate.action')}
        </Button>
      </Group>
      <RotateRoomDialog room={room} opened={isAsking} onClose={() => setIsAsking(false)} />
    </Stack>
  );
}

function stamp() {
  const digits = crypto.getRandomValues(new Uint8Array(4));
  const random = Array.from(digits, (digit) => digit.toString(16).padStart(2, '0')).join('');
  return { created: new Date().toISOString(), random };
}
