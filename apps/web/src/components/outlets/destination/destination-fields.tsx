import { Anchor, Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { type Outlet, outletLimits } from '@weir/contract';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretField } from '../../ui/fields/secret-field.tsx';
import { IconExternalLink } from '../../ui/theme/icons.ts';
import { type OutletForm, toSlotChange } from '../outlet-form.ts';
import classes from '../outlet-panel.module.css';
import { type OwnServer, ownStreamName, toOwnDestination } from './own-destination.ts';
import { OwnStreamField } from './own-stream-field.tsx';
import type { PlatformTexts } from './platforms.ts';

interface DestinationFieldsProps<Slot extends Outlet> {
  form: OutletForm<Slot>;
  /** Texts of a named platform. */
  texts: PlatformTexts | undefined;
  /** Set if this server may be a destination. */
  own: OwnServer | undefined;
  /** Suggested stream name on this server. */
  suggested: string;
}

/** Destination of a slot: a stream on this server, a platform, or any server and key. */
export function DestinationFields<Slot extends Outlet>({ form, texts, own, suggested }: DestinationFieldsProps<Slot>) {
  const { t } = useTranslation();
  const { value, edit, problems } = form;
  // Restored when the user returns from the other choice.
  const [other, setOther] = useState<Partial<Outlet>>({
    server: '',
    secret: '',
    custom: value.custom,
    label: value.label,
  });
  const name = own && ownStreamName(value, own);
  const choose = (choice: string) => {
    if (!own || (choice === 'own') === (name !== undefined)) return;
    if (choice !== 'own') return edit(toSlotChange<Slot>(other));
    const { server, secret, custom, label } = value;
    setOther({ server, secret, custom, label });
    // A slot of a named platform that pushes elsewhere needs its own label.
    const named = texts ? { custom: true, label: label || t('plat.com.ownServer') } : {};
    edit(toSlotChange<Slot>({ ...toOwnDestination(suggested, own), ...named }));
  };
  return (
    <>
      {own && (
        <Radio.Group label={t('plat.com.sendTo')} value={name === undefined ? 'other' : 'own'} onChange={choose}>
          <Stack gap={8} mt={4}>
            <Radio value="own" label={t('plat.com.ownServer')} description={t('plat.com.ownServerTip')} />
            <Radio
              value="other"
              label={texts ? t('plat.com.platformOrOther', { platform: texts.title }) : t('plat.com.otherServer')}
            />
          </Stack>
        </Radio.Group>
      )}
      {own && name !== undefined ? (
        <OwnStreamField
          name={name}
          problem={problems.server}
          onChange={(next) => edit(toSlotChange<Slot>(toOwnDestination(next, own)))}
        />
      ) : (
        <AddressFields form={form} texts={texts} />
      )}
    </>
  );
}

function AddressFields<Slot extends Outlet>({ form, texts }: Pick<DestinationFieldsProps<Slot>, 'form' | 'texts'>) {
  const { t } = useTranslation();
  const { value, edit, problems } = form;
  const listId = useId();
  // Platform texts apply unless the slot pushes elsewhere.
  const platform = value.custom ? undefined : texts;
  const link = platform && (
    <Anchor href={platform.link} size="sm" target="_blank" rel="noreferrer" className={classes.link}>
      {platform.linkWord}
      <IconExternalLink size={14} aria-hidden />
    </Anchor>
  );
  return (
    <>
      <TextInput
        size="md"
        label={platform ? t('plat.com.platformServer', { platform: platform.title }) : t('plat.com.server')}
        description={
          platform ? (
            <>
              {t('plat.com.platformServerTip', { platform: platform.title })} {link}
            </>
          ) : (
            t('plat.com.serverTip')
          )
        }
        placeholder={platform?.example ?? t('plat.com.example')}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={outletLimits.serverCharacters}
        {...(platform && /^rtmps?:\/\/[\w.-]+/.test(platform.example) && { list: listId })}
        value={value.server}
        onChange={(event) => edit(toSlotChange<Slot>({ server: event.currentTarget.value }))}
        error={problems.server}
      />
      {platform && (
        <datalist id={listId}>
          <option value={platform.example} />
        </datalist>
      )}
      <SecretField
        label={t('plat.com.key')}
        description={platform ? t('plat.com.platformKeyTip', { platform: platform.title }) : t('plat.com.keyTip')}
        value={value.secret}
        onChange={(secret) => edit(toSlotChange<Slot>({ secret }))}
      />
      {texts && (
        <Checkbox
          label={t('plat.com.customServer')}
          description={t('plat.com.customTip', { platform: texts.title })}
          checked={value.custom}
          onChange={(event) => edit(toSlotChange<Slot>({ custom: event.currentTarget.checked }))}
        />
      )}
    </>
  );
}
