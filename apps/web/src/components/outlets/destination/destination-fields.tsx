import { Anchor, Button, TextInput } from '@mantine/core';
import { outletLimits } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretField } from '../../ui/fields/secret-field.tsx';
import { IconExternalLink } from '../../ui/theme/icons.ts';
import type { DraftProblem, DraftProblems, OutletDraft } from '../outlet-draft.ts';
import classes from './destination-fields.module.css';
import { OwnStreamField } from './own-stream-field.tsx';
import { usePresetTitle } from './platforms.ts';
import { presetFacts } from './presets.ts';

interface DestinationFieldsProps {
  draft: OutletDraft;
  problems: DraftProblems;
  /** True if lists need the name. */
  needsLabel: boolean;
  edit: (change: Partial<OutletDraft>) => void;
}

/** Fields of a destination: a stream name on this server, or server and key elsewhere. */
export function DestinationFields({ draft, problems, needsLabel, edit }: DestinationFieldsProps) {
  const { t } = useTranslation();
  const textOf = useProblemText();
  const name = (
    <TextInput
      label={t('plat.com.name')}
      description={needsLabel ? t('plat.com.nameNeeded') : t('plat.com.nameHelp')}
      maxLength={outletLimits.labelCharacters}
      value={draft.label}
      onChange={(event) => edit({ label: event.currentTarget.value })}
      error={textOf(problems.label)}
    />
  );
  if (draft.preset === 'own') {
    return (
      <>
        {name}
        <OwnStreamField
          name={draft.ownName}
          problem={textOf(problems.ownName)}
          onChange={(ownName) => edit({ ownName })}
        />
      </>
    );
  }
  return (
    <>
      <AddressFields key={draft.preset} draft={draft} problems={problems} edit={edit} />
      {name}
    </>
  );
}

function AddressFields({ draft, problems, edit }: Omit<DestinationFieldsProps, 'needsLabel'>) {
  const { t } = useTranslation();
  const titleOf = usePresetTitle();
  const textOf = useProblemText();
  const { preset, server, secret } = draft;
  const facts = preset === 'own' || preset === 'server' ? undefined : presetFacts[preset];
  const platform = titleOf(preset);
  // The usual server of a platform needs no field of its own.
  const [isFolded, setIsFolded] = useState(facts !== undefined && facts.server !== '' && server === facts.server);
  const link = facts && (
    <Anchor href={facts.link} size="sm" target="_blank" rel="noreferrer" className={classes.link}>
      {t('plat.com.openPlatform', { platform })}
      <IconExternalLink size={14} aria-hidden />
    </Anchor>
  );
  return (
    <>
      {isFolded ? (
        <div className={classes.folded}>
          <code title={t('plat.com.server')}>{server}</code>
          <Button size="compact-sm" variant="subtle" onClick={() => setIsFolded(false)}>
            {t('plat.com.changeServer')}
          </Button>
        </div>
      ) : (
        <TextInput
          label={facts ? t('plat.com.platformServer', { platform }) : t('plat.com.server')}
          description={facts ? t('plat.com.platformServerTip', { platform }) : t('plat.com.serverTip')}
          placeholder={facts?.server || t('plat.com.example')}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          maxLength={outletLimits.serverCharacters}
          value={server}
          onChange={(event) => edit({ server: event.currentTarget.value })}
          error={textOf(problems.server)}
        />
      )}
      <SecretField
        size="sm"
        label={t('plat.com.key')}
        description={
          facts ? (
            <>
              {t('plat.com.platformKeyTip', { platform })} {link}
            </>
          ) : (
            t('plat.com.keyTip')
          )
        }
        value={secret}
        onChange={(typed) => edit({ secret: typed })}
      />
    </>
  );
}

function useProblemText(): (problem: DraftProblem | undefined) => string | undefined {
  const { t } = useTranslation();
  return (problem) => {
    if (problem === undefined) return undefined;
    if (problem === 'name') return t('plat.com.ownNameWrong');
    return t(problem === 'missing' ? 'plat.com.addr' : `plat.com.${problem}`);
  };
}
