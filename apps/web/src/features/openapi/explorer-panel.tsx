import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prettyJson } from '../../components/ui/facts/json-text.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';
import { toErrorMessage } from '../../lib/errors/error-message.ts';
import type { ApiCall } from './api-calls.ts';
import classes from './openapi.module.css';

interface ExplorerPanelProps {
  anchor: string;
  calls: readonly ApiCall[];
  call: ApiCall;
  secret: string;
  body: string;
  onChoose: (call: ApiCall) => void;
  onBody: (body: string) => void;
}

/** Calls any endpoint with the API secret, as a script would. */
export function ExplorerPanel({ anchor, calls, call, secret, body, onChoose, onBody }: ExplorerPanelProps) {
  const { t } = useTranslation();
  const [isBadJson, setIsBadJson] = useState(false);
  const tryOut = useTryOut();
  const choose = (name: string) => {
    const next = calls.find((candidate) => candidate.name === name);
    if (!next) return;
    tryOut.reset();
    setIsBadJson(false);
    onChoose(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tryOut.isRunning) return;
    if (tryOut.outcome) {
      tryOut.reset();
      return;
    }
    const isGood = call.body === undefined || isJson(body);
    setIsBadJson(!isGood);
    if (isGood) tryOut.run(call, { secret, body: call.body === undefined ? '{}' : body });
  };

  return (
    <Section title={t('openapi.explorer')} help={t('openapi.explorerHelp')} anchor={anchor}>
      {secret === '' && <Notice tone="info" title={`${t('openapi.secretEmpty')} ${t('openapi.secret')}`} />}
      <form onSubmit={submit}>
        <Stack gap="md">
          <NativeSelect
            size="md"
            label={t('openapi.call')}
            description={call.summary}
            value={call.name}
            onChange={(event) => choose(event.currentTarget.value)}
            data={groupCalls(calls)}
          />
          <CopyField label={t('openapi.url')} value={call.name} />
          {!call.isPublic && (
            <CopyField label={t('openapi.header')} value={`Authorization: Bearer ${secret}`} secret={secret} />
          )}
          {call.body !== undefined && (
            <Textarea
              size="md"
              label={t('openapi.body')}
              rows={5}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.875rem' } }}
              value={body}
              onChange={(event) => onBody(event.currentTarget.value)}
              error={isBadJson && !isJson(body) ? t('openapi.bodyInvalid') : undefined}
            />
          )}
          <Group>
            <Button type="submit" loading={tryOut.isRunning} disabled={secret === ''}>
              {tryOut.outcome ? t('openapi.reset') : t('openapi.tryOut')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('openapi.real')}
            </Text>
          </Group>
        </Stack>
      </form>
      {tryOut.outcome && <CallResult outcome={tryOut.outcome} />}
    </Section>
  );
}

function groupCalls(calls: readonly ApiCall[]) {
  const groups = [...new Set(calls.map(({ group }) => group))];
  return groups.map((group) => ({
    group,
    items: calls.filter((call) => call.group === group).map(({ name }) => name),
  }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function CallResult({ outcome: { status, tookMs, text } }: { outcome: CallOutcome }) {
  const { t } = useTranslation();
  const isGood = status !== undefined && status < 300;
  return (
    <Stack gap="xs" mt="md" role="status" aria-label={t('openapi.response')}>
      <Group gap="sm">
        <StatusLabel
          tone={isGood ? 'ok' : 'bad'}
          word={status === undefined ? t('openapi.noAnswer') : t('openapi.status', { status })}
          tinted
        />
        <Text size="sm" c="dimmed">
          {t('openapi.took', { ms: tookMs })}
        </Text>
      </Group>
      {/* Long responses scroll; the keyboard needs a tab stop for that. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by the keyboard */}
      <pre className={classes.answer} tabIndex={0}>
        {text}
      </pre>
    </Stack>
  );
}

interface CallOutcome {
  /** Undefined if no response came. */
  readonly status: number | undefined;
  readonly tookMs: number;
  /** Pretty-printed if it is JSON. */
  readonly text: string;
}

/** Makes a call as an outside client would. Failures are results here, not errors of the page. */
function useTryOut() {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController>(undefined);

  const reset = () => {
    running.current?.abort();
    setOutcome(undefined);
    setIsRunning(false);
  };
  const run = async (call: ApiCall, input: { secret: string; body: string }) => {
    const controller = new AbortController();
    running.current = controller;
    setIsRunning(true);
    const result = await makeCall(call, input, controller.signal);
    if (controller.signal.aborted) return;
    setOutcome(result);
    setIsRunning(false);
  };
  return { outcome, isRunning, run, reset };
}

async function makeCall(
  { method, path, isPublic }: ApiCall,
  { secret, body }: { secret: string; body: string },
  signal: AbortSignal,
): Promise<CallOutcome> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  const headers: Record<string, string> = xsrfHeaders();
  if (!isPublic) headers.authorization = `Bearer ${secret}`;
  if (method === 'POST') headers['content-type'] = 'application/json';
  try {
    const response = await fetch(path, {
      method,
      headers,
      credentials: 'omit',
      signal,
      ...(method === 'POST' && { body }),
    });
    const text = await response.text();
    return { status: response.status, tookMs: tookMs(), text: prettyJson(text) };
  } catch (error) {
    return { status: undefined, tookMs: tookMs(), text: toErrorMessage(error) };
  }
}
