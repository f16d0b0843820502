import { Button, Loader, Menu, PasswordInput, Switch, Text } from '@mantine/core';
import { type Outlet, type OutletRow, outletLimits, outletProcessKey, type ProcessReport } from '@weir/contract';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../lib/i18n.ts';
import { formatBitrate } from '../figures/format-figures.ts';
import { LogDialog } from '../processes/log-button.tsx';
import { ProcessFigures } from '../processes/process-numbers.tsx';
import { ProcessReason, useNextTry } from '../processes/process-reason.tsx';
import { ProcessSince } from '../processes/process-since.tsx';
import { ProcessStateLabel } from '../processes/process-state-label.tsx';
import { parseStreamPath } from '../streams/preview-query.ts';
import { StreamLink } from '../streams/stream-link.tsx';
import { ConfirmDialog } from '../ui/feedback/confirm-dialog.tsx';
import { StatusLabel } from '../ui/feedback/status-label.tsx';
import { FlowRow } from '../ui/layout/flow-row.tsx';
import { RowMenu } from '../ui/layout/row-menu.tsx';
import { type OwnServer, ownStreamName } from './destination/own-destination.ts';
import { PlatformLogo } from './destination/platform-logo.tsx';
import { useOutletTitle } from './destination/platforms.ts';
import { findPreset } from './destination/presets.ts';
import { isTroubled } from './flow-view.ts';
import classes from './outlet-item.module.css';
import type { OutletListProps } from './outlet-list.tsx';
import type { SavedSlot } from './slots.ts';
import { type OutletActions, useOutletActions } from './use-outlet-actions.ts';

interface OutletItemProps<Slot extends Outlet, Row extends OutletRow>
  extends Pick<OutletListProps<Slot, Row>, 'send' | 'from' | 'picture' | 'facts' | 'own' | 'preview' | 'texts'> {
  view: SavedSlot<Slot>;
  /** Running state; undefined until the states are known. */
  row: Row | undefined;
  onEdit: () => void;
}

/** Row of one destination: where from and to, its state, and the switch that saves at once. */
export function OutletItem<Slot extends Outlet, Row extends OutletRow>(props: OutletItemProps<Slot, Row>) {
  const { view, row, send, from, picture, facts, own, preview, texts, onEdit } = props;
  const { saved: slot, platform, key, number } = view;
  const { t } = useTranslation();
  const locale = useLocale();
  const outletTitle = useOutletTitle();
  const placeOf = useDestinationName(own);
  const actions = useOutletActions({ send });
  const [dialog, setDialog] = useState<'log' | 'remove'>();
  const [isOpen, setIsOpen] = useState(false);
  const title = outletTitle({ ...slot, label: slot.label.trim() || (number > 3 ? texts.slot(number) : '') });
  const isFinished = slot.server !== '';
  const report = row?.process;
  const remedy = report && isTroubled(report);
  return (
    <FlowRow
      panel={key}
      picture={picture(slot, row)}
      icon={<PlatformLogo preset={findPreset(slot, locale, own)} />}
      name={
        <button
          type="button"
          data-touch
          className={classes.name}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {title}
        </button>
      }
      way={
        <>
          {from(slot, row)} <span aria-hidden="true">→</span>{' '}
          {isFinished ? (
            <Place stream={row?.outputStream}>{placeOf(slot, row?.outputStream)}</Place>
          ) : (
            t('plat.com.noTarget')
          )}
        </>
      }
      state={
        isFinished ? (
          report && (
            <span role="status">
              <ProcessStateLabel report={report} tinted={false} />
            </span>
          )
        ) : (
          <StatusLabel tone="warn" word={t('plat.com.unfinished')} />
        )
      }
      since={isFinished && report && <ProcessSince report={report} />}
      bitrate={report && <Bitrate report={report} />}
      control={isFinished && <OnSwitch slot={slot} title={title} actions={actions} />}
      menu={
        <>
          <RowMenu label={t('plat.com.more', { name: title })}>
            <Menu.Item onClick={onEdit}>{t('plat.com.edit')}</Menu.Item>
            <Menu.Item onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? t('plat.com.hideDetails') : t('plat.com.details')}
            </Menu.Item>
            {report && report.starts > 0 && (
              <Menu.Item onClick={() => setDialog('log')}>{t('process.log.open')}</Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => setDialog('remove')}>
              {t('plat.com.remove')}
            </Menu.Item>
          </RowMenu>
          <LogDialog
            processKey={outletProcessKey(send.feature, platform)}
            title={title}
            opened={dialog === 'log'}
            onClose={() => setDialog(undefined)}
          />
          <ConfirmDialog
            opened={dialog === 'remove'}
            title={t('plat.com.removeTitle', { name: title })}
            text={slot.enabled ? t('plat.com.removeLive') : t('plat.com.removeText')}
            action={t('plat.com.remove')}
            busy={actions.isRemoving}
            onConfirm={() => actions.remove(platform)}
            onClose={() => setDialog(undefined)}
          />
        </>
      }
    >
      {(!isFinished || remedy || isOpen) && (
        <div className={classes.more}>
          {!isFinished && <UnfinishedNote onEdit={onEdit} />}
          {remedy && (
            <OutletRemedy
              report={report}
              title={title}
              slot={slot}
              actions={actions}
              onEdit={onEdit}
              onLog={() => setDialog('log')}
            />
          )}
          {isOpen && (
            <OutletDetails
              title={title}
              row={row}
              facts={facts?.(slot, row)}
              waiting={texts.waiting}
              preview={preview}
              hasRemedy={remedy === true}
            />
          )}
        </div>
      )}
    </FlowRow>
  );
}

/** Target of a row; a stream of this server leads to its page. */
function Place({ stream, children }: { stream: string | undefined; children: string }) {
  if (stream === undefined) return <span className={classes.place}>{children}</span>;
  return (
    <StreamLink stream={parseStreamPath(stream)} className={classes.place}>
      {children}
    </StreamLink>
  );
}

interface OnSwitchProps<Slot extends Outlet> {
  slot: Slot;
  title: string;
  actions: OutletActions<Slot>;
}

function OnSwitch<Slot extends Outlet>({ slot, title, actions }: OnSwitchProps<Slot>) {
  const isBusy = actions.isToggling || actions.isLocked;
  return (
    <Switch
      aria-label={title}
      checked={slot.enabled}
      disabled={isBusy || actions.isBusy}
      thumbIcon={isBusy && <Loader size={10} aria-hidden />}
      onChange={() => actions.toggle({ ...slot, enabled: !slot.enabled })}
    />
  );
}

function Bitrate({ report }: { report: OutletRow['process'] }) {
  const locale = useLocale();
  return <span className={classes.bitrate}>{formatBitrate(report.numbers?.kbps ?? undefined, locale) ?? '–'}</span>;
}

interface OutletDetailsProps {
  title: string;
  row: OutletRow | undefined;
  /** More about the source. */
  facts: ReactNode;
  /** Hint while there is nothing to send. */
  waiting: string;
  preview: (stream: string) => ReactNode;
  /** True if the row shows cause and remedy already. */
  hasRemedy: boolean;
}

/** Opened row: source, statistics, and the result where it is a stream of this server. */
function OutletDetails({ title, row, facts, waiting, preview, hasRemedy }: OutletDetailsProps) {
  const { t } = useTranslation();
  const report = row?.process;
  return (
    <div className={classes.columns}>
      <div className={classes.facts}>
        {facts}
        {report && !hasRemedy && <ProcessReason report={report} />}
        {report?.state === 'waiting' && (
          <Text size="sm" c="dimmed">
            {waiting}
          </Text>
        )}
        {report?.numbers && <ProcessFigures title={title} numbers={report.numbers} starts={report.starts} />}
        {report?.failure && hasRemedy && report.failure.detail !== '' && (
          <code className={classes.detail}>{report.failure.detail}</code>
        )}
        {row && report?.state === 'off' && (
          <Text size="sm" c="dimmed">
            {t('plat.com.offText')}
          </Text>
        )}
      </div>
      {row?.outputStream !== undefined && report?.state === 'live' && (
        <div className={classes.preview}>
          <Text size="sm" fw={500} mb={4}>
            {t('plat.com.preview', { stream: row.outputStream })}
          </Text>
          {preview(row.outputStream)}
        </div>
      )}
    </div>
  );
}

/** Short destination name without path and query, which may contain secrets. */
function useDestinationName(own?: OwnServer) {
  const { t } = useTranslation();
  return (slot: Pick<Outlet, 'server' | 'secret'>, running?: string): string => {
    const name = own && ownStreamName(slot, own);
    // The server recognises its streams under all of its addresses.
    const stream = running ?? (name && `live/${name}`);
    return stream ? t('plat.com.ownPlace', { stream }) : serverName(slot.server);
  };
}

function serverName(server: string): string {
  return URL.canParse(server) ? new URL(server).hostname : '';
}

interface OutletRemedyProps<Slot extends Outlet> {
  report: ProcessReport;
  title: string;
  slot: Slot;
  actions: OutletActions<Slot>;
  onEdit: () => void;
  onLog: () => void;
}

/** Problem of a row: cause, remedy, and the button that applies it. */
function OutletRemedy<Slot extends Outlet>(props: OutletRemedyProps<Slot>) {
  const { report, title, slot, actions, onEdit, onLog } = props;
  const { t } = useTranslation();
  const next = useNextTry(report);
  const cause = report.failure?.cause ?? 'unknown';
  return (
    <Remedy tone={report.state === 'failing' ? 'bad' : 'warn'}>
      <p className={classes.text}>
        <b>{t(`process.why.${cause}`)}</b> {t(`process.remedy.${cause}`)}
      </p>
      <div className={classes.actions}>
        {cause === 'key-refused' && <NewKey title={title} slot={slot} actions={actions} />}
        <Button size="xs" variant="default" disabled={actions.isBusy} onClick={() => actions.retry(slot)}>
          {t('plat.com.retry')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onEdit}>
          {t('plat.com.edit')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" aria-label={t('process.log.openOf', { title })} onClick={onLog}>
          {t('process.log.open')}
        </Button>
        <span className={classes.next}>{next}</span>
      </div>
    </Remedy>
  );
}

/** Field for a key that replaces the refused one, in the place where the refusal is shown. */
function NewKey<Slot extends Outlet>({
  title,
  slot,
  actions,
}: Pick<OutletRemedyProps<Slot>, 'title' | 'slot' | 'actions'>) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret.trim() !== '') actions.save({ ...slot, secret: secret.trim(), enabled: true });
  };
  return (
    <form className={classes.key} onSubmit={submit}>
      <PasswordInput
        size="xs"
        className={classes.field}
        aria-label={t('plat.com.newKeyOf', { name: title })}
        placeholder={t('plat.com.newKey')}
        autoComplete="off"
        data-1p-ignore
        maxLength={outletLimits.secretCharacters}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      <Button size="xs" type="submit" loading={actions.isSaving} disabled={secret.trim() === '' || actions.isBusy}>
        {t('plat.com.replaceKey')}
      </Button>
    </form>
  );
}

/** A row that has a source but no destination yet. */
function UnfinishedNote({ onEdit }: { onEdit: () => void }) {
  const { t } = useTranslation();
  return (
    <Remedy tone="warn">
      <p className={classes.text}>{t('plat.com.unfinishedText')}</p>
      <div className={classes.actions}>
        <Button size="xs" onClick={onEdit}>
          {t('plat.com.finish')}
        </Button>
      </div>
    </Remedy>
  );
}

function Remedy({ tone, children }: { tone: 'bad' | 'warn'; children: ReactNode }) {
  return (
    <div className={classes.remedy} data-tone={tone}>
      {children}
    </div>
  );
}
