import { ActionIcon, CloseButton, Drawer } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { TitleStateContext, usePageTitle } from '../../../lib/page-title.ts';
import { IconHelp } from '../theme/icons.ts';
import classes from './page-head.module.css';

/** Way back to the page that contains this one. `to` is a path with its language. */
interface Crumb {
  readonly label: string;
  readonly to: string;
}

interface PageHeadProps {
  title: string;
  /** State of the page beside its title, usually a `StatePill`. */
  state?: ReactNode;
  /** One line: what the page is for. */
  purpose?: ReactNode;
  /** Main action, at the right; full width on phones. Several go into a fragment, the main one last. */
  action?: ReactNode;
  help?: PageHelp;
  crumbs?: readonly Crumb[];
}

/** Head of a page: title, state, purpose, main action and help. A tab without one gets a default head from its descriptor. */
export function PageHead({ title, state, purpose, action, help, crumbs }: PageHeadProps) {
  const [titleState, setTitleState] = useState<string>();
  usePageTitle([title, titleState ?? '']);
  const replaceDefault = use(DefaultHeadContext);
  // Before the browser paints, so that the two heads never show together.
  useLayoutEffect(() => replaceDefault(), [replaceDefault]);
  const [isRead, setIsRead] = useState(false);
  const isOpen = help?.isOpen === true && !isRead;
  const drawer = help && !isOpen && <HelpDrawer title={title} help={help} />;
  return (
    <>
      <header className={classes.head}>
        {crumbs && <Crumbs crumbs={crumbs} here={title} />}
        <div className={classes.row}>
          <div className={classes.text}>
            <div className={classes.title}>
              <h1>{title}</h1>
              <TitleStateContext value={setTitleState}>{state}</TitleStateContext>
            </div>
            {purpose && <p className={classes.purpose}>{purpose}</p>}
          </div>
          {(action || drawer) && (
            <div className={classes.actions} data-lone={!action || undefined}>
              {drawer}
              {action && <div className={classes.action}>{action}</div>}
            </div>
          )}
        </div>
      </header>
      {isOpen && <OpenHelp title={title} help={help} onClose={() => setIsRead(true)} />}
    </>
  );
}

/** Way to this page, which is the last of it. */
function Crumbs({ crumbs, here }: { crumbs: readonly Crumb[]; here: string }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('shell.way')}>
      <ol className={classes.crumbs}>
        {crumbs.map(({ label, to }) => (
          <li key={to}>
            <Link data-touch to={to}>
              {label}
            </Link>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}

/** Registers a head in place of the default one. Returns a function that restores it. */
const DefaultHeadContext = createContext<() => () => void>(() => () => undefined);

interface DefaultHeadProps {
  title: string;
  purpose?: string | undefined;
  children: ReactNode;
}

/** Shows a head with title and purpose until the content renders a `PageHead` of its own. */
export function DefaultHead({ title, purpose, children }: DefaultHeadProps) {
  const [heads, setHeads] = useState(0);
  const [replace] = useState(() => () => {
    setHeads((count) => count + 1);
    return () => setHeads((count) => count - 1);
  });
  return (
    <>
      {heads === 0 && <PageHead title={title} purpose={purpose} />}
      <DefaultHeadContext value={replace}>{children}</DefaultHeadContext>
    </>
  );
}

interface PageHelp {
  readonly content: ReactNode;
  /** Key of the panel in the specification, such as `1` of an introduction. `#panel-1` in the address opens it. */
  readonly panel?: string;
  /** Opened with the page, as the specification's panel is while nothing is set up: on the page itself, above its content. */
  readonly isOpen?: boolean;
}

/** Button "?" and the explanation behind it. */
function HelpDrawer({ title, help }: { title: string; help: PageHelp }) {
  const { t } = useTranslation();
  const { hash, key } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const asks = help.panel !== undefined && hash === `#panel-${help.panel}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again opens it again
  useEffect(() => {
    if (asks) setIsOpen(true);
  }, [asks, key]);
  return (
    <>
      <ActionIcon
        variant="default"
        className={classes.button}
        aria-label={t('helper.about', { title })}
        title={t('helper.help')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        <IconHelp size={18} aria-hidden />
      </ActionIcon>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="right"
        size={480}
        title={t('helper.about', { title })}
        transitionProps={{ duration: 160 }}
        closeButtonProps={{ 'aria-label': t('helper.close') }}
      >
        <section data-key={help.panel} className={classes.content}>
          {help.content}
        </section>
      </Drawer>
    </>
  );
}

/** Explanation on the page itself, until it is closed. */
function OpenHelp({ title, help, onClose }: { title: string; help: PageHelp; onClose: () => void }) {
  const { t } = useTranslation();
  const label = t('helper.about', { title });
  return (
    <section
      data-key={help.panel}
      id={help.panel && `panel-${help.panel}`}
      aria-label={label}
      className={classes.open}
      tabIndex={-1}
    >
      <div className={classes.openText}>{help.content}</div>
      <CloseButton aria-label={t('helper.close')} onClick={onClose} />
    </section>
  );
}
