import { Anchor, Button, Radio, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type AccessRule, accessApi, accessLimits, type BodyOf } from '@weir/contract';
import { playModes, tokenAlgorithms } from '@weir/streams';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { SecretField } from '../../components/ui/fields/secret-field.tsx';
import { client } from '../../lib/api.ts';
import { toErrorMessage } from '../../lib/errors/error-message.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';
import classes from './access.module.css';
import type { RuleDraft, RuleProblem } from './rule-draft.ts';

interface RuleFieldsProps {
  draft: RuleDraft;
  /** The rule as it is saved. */
  stored: AccessRule | undefined;
  problems: ReadonlySet<RuleProblem>;
  onChange: (change: Partial<RuleDraft>) => void;
}

/** Mode of a rule with its own fields, then limits. */
export function RuleFields({ draft, stored, problems, onChange }: RuleFieldsProps) {
  const { t } = useTranslation();
  const { mode } = draft;
  const choose = (value: string) => onChange({ mode: playModes.find((one) => one === value) ?? mode });
  return (
    <Stack gap="md">
      <Radio.Group value={mode} onChange={choose} aria-label={t('access.who.title')}>
        <div className={classes.modes}>
          {playModes.map((one) => (
            <Radio.Card key={one} value={one} className={classes.mode} aria-label={t(`access.mode.${one}.title`)}>
              <Radio.Indicator size="xs" className={classes.dot} />
              <span>
                <span className={classes.strong}>{t(`access.mode.${one}.title`)}</span>
                <span className={classes.help}>{t(`access.mode.${one}.help`)}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {mode === 'password' && (
        <SecretField
          size="sm"
          label={t(stored?.hasPassword ? 'access.password.change' : 'access.password.label')}
          description={
            stored?.hasPassword
              ? t('access.password.changeHelp')
              : t('access.password.help', { least: accessLimits.passwordLeast })
          }
          value={draft.password}
          onChange={(password) => onChange({ password })}
          error={
            (problems.has('passwordMissing') && t('access.password.missing')) ||
            (problems.has('password') && t('access.password.short', { count: accessLimits.passwordLeast })) ||
            undefined
          }
        />
      )}
      {mode === 'token' && <TokenFields draft={draft} stored={stored} problems={problems} onChange={onChange} />}
      {mode === 'callback' && <CallbackNote />}
      <LimitFields draft={draft} problems={problems} onChange={onChange} />
    </Stack>
  );
}

function TokenFields({ draft, stored, problems, onChange }: RuleFieldsProps) {
  const { t } = useTranslation();
  const { algorithm, secret, jwksUrl } = draft;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('access.token.algorithm')}
        data={tokenAlgorithms.map((one) => ({ value: one, label: one === 'HS256' ? t('access.token.shared') : one }))}
        value={algorithm}
        onChange={(value) => onChange({ algorithm: tokenAlgorithms.find((one) => one === value) ?? algorithm })}
      />
      {algorithm === 'HS256' ? (
        <SecretField
          size="sm"
          label={t(stored?.hasSecret ? 'access.token.changeSecret' : 'access.token.secret')}
          description={stored?.hasSecret ? t('access.token.changeSecretHelp') : t('access.token.secretHelp')}
          value={secret}
          onChange={(text) => onChange({ secret: text.trim() })}
          error={
            (problems.has('secretMissing') && t('access.token.secretMissing')) ||
            (problems.has('secret') && t('access.token.secretShort', { count: accessLimits.secretLeast })) ||
            undefined
          }
        />
      ) : (
        <JwksField
          key={algorithm}
          algorithm={algorithm}
          value={jwksUrl}
          isWrong={problems.has('jwksUrl')}
          onChange={(text) => onChange({ jwksUrl: text })}
        />
      )}
      <p className={classes.muted}>{t('access.token.claims')}</p>
    </>
  );
}

interface JwksFieldProps {
  algorithm: BodyOf<typeof accessApi.testKeys>['algorithm'];
  value: string;
  isWrong: boolean;
  onChange: (value: string) => void;
}

function JwksField({ algorithm, value, isWrong, onChange }: JwksFieldProps) {
  const { t } = useTranslation();
  const test = useMutation({
    mutationFn: () => client.call(accessApi.testKeys, { jwksUrl: value, algorithm }),
    meta: { handles: () => true },
  });
  return (
    <div className={classes.form}>
      <TextInput
        type="url"
        label={t('access.token.jwksUrl')}
        description={t('access.token.jwksUrlHelp')}
        placeholder="https://…/.well-known/jwks.json"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => {
          test.reset();
          onChange(event.currentTarget.value);
        }}
        error={isWrong && t('access.token.jwksUrlInvalid')}
      />
      <div>
        <Button
          variant="default"
          size="xs"
          loading={test.isPending}
          disabled={value.trim() === ''}
          onClick={() => test.mutate()}
        >
          {t('access.token.test')}
        </Button>
      </div>
      <div role="status">
        {test.data && (
          <Notice tone="ok" title={t('access.token.found', { count: test.data.keys.length, algorithm })}>
            {test.data.keys.some(({ id }) => id !== '') && (
              <p className={classes.wrapped}>
                {test.data.keys
                  .map(({ id }) => id)
                  .filter((id) => id !== '')
                  .join(', ')}
              </p>
            )}
          </Notice>
        )}
        {test.error && (
          <Notice tone="bad" title={t('access.token.unread')}>
            <p className={classes.wrapped}>{toErrorMessage(test.error)}</p>
          </Notice>
        )}
      </div>
    </div>
  );
}

function CallbackNote() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <p className={classes.muted}>
      {t('access.callback.help')}{' '}
      <Anchor component={Link} to={localPath(`${paths.settings}?tab=callback`)} inherit>
        {t('access.callback.open')}
      </Anchor>
    </p>
  );
}

function LimitFields({ draft, problems, onChange }: Omit<RuleFieldsProps, 'stored'>) {
  const { t } = useTranslation();
  const { sites, networks, maxViewers, maxPerLink } = draft;
  const [startsOpen] = useState(() => [sites, networks, maxViewers, maxPerLink].some((text) => text !== ''));
  const wholeNumber = t('helper.wholeNumber', { least: 0, most: accessLimits.viewers });
  return (
    <details className={classes.limits} open={startsOpen}>
      <summary>{t('access.limits.title')}</summary>
      <Stack gap="md" mt="sm">
        <Textarea
          label={t('access.limits.sites')}
          description={t('access.limits.sitesHelp')}
          placeholder="www.example.com"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          value={sites}
          onChange={(event) => onChange({ sites: event.currentTarget.value })}
          error={problems.has('sites') && t('access.limits.sitesInvalid')}
        />
        <Textarea
          label={t('access.limits.networks')}
          description={t('access.limits.networksHelp')}
          placeholder="192.0.2.0/24"
          rows={2}
          autoComplete="off"
          spellCheck={false}
          value={networks}
          onChange={(event) => onChange({ networks: event.currentTarget.value })}
          error={problems.has('networks') && t('access.limits.networksInvalid')}
        />
        <div className={classes.pair}>
          <TextInput
            label={t('access.limits.viewers')}
            placeholder={t('access.limits.any')}
            inputMode="numeric"
            autoComplete="off"
            value={maxViewers}
            onChange={(event) => onChange({ maxViewers: event.currentTarget.value })}
            error={problems.has('maxViewers') && wholeNumber}
          />
          <TextInput
            label={t('access.limits.perLink')}
            placeholder={t('access.limits.any')}
            inputMode="numeric"
            autoComplete="off"
            value={maxPerLink}
            onChange={(event) => onChange({ maxPerLink: event.currentTarget.value })}
            error={problems.has('maxPerLink') && wholeNumber}
          />
        </div>
      </Stack>
    </details>
  );
}

export function SaveFailure({ error }: { error: Error }) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Notice tone="bad" title={t('access.notSaved')}>
        <p className={classes.wrapped}>{toErrorMessage(error)}</p>
      </Notice>
    </div>
  );
}
