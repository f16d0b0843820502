import { Anchor } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Answers } from '../../components/ui/facts/answers.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { TabbedPage } from '../../components/ui/layout/tabbed-page.tsx';
import { type OtherSection, useFeatures } from '../../lib/feature.ts';
import { paths, useLocalPath } from '../../lib/paths.ts';

type Tab = OtherSection['tab'];

/** Child tabs with the sections that features add. The name of a section in `ctab` opens it. */
export function OthersTab() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const sections = useFeatures().flatMap((feature) => feature.sections ?? []);
  const sectionIds = (wanted: Tab) => sections.filter(({ tab }) => tab === wanted).map(({ id }) => id);
  const named = query.get('ctab') ?? '';
  const shown: Tab = named === 'deprecated' || sectionIds('deprecated').includes(named) ? 'deprecated' : 'other';
  const isSectionNamed = sections.some(({ id }) => id === named);
  return (
    <>
      <PageHead
        key={shown}
        title={t('others.tab')}
        purpose={t('nav.purpose.others')}
        help={{
          panel: shown,
          content: shown === 'other' ? <OtherIntroduction /> : <DeprecatedIntroduction />,
          isOpen: !isSectionNamed,
        }}
      />
      <TabbedPage
        parameter="ctab"
        within="others"
        tabs={[
          { id: 'other', title: 'others.other', alsoFor: sectionIds('other'), panel: otherTab },
          { id: 'deprecated', title: 'others.deprecated', alsoFor: sectionIds('deprecated'), panel: deprecatedTab },
        ]}
      />
    </>
  );
}

const otherTab = { Component: () => <SectionList tab="other" /> };
const deprecatedTab = { Component: () => <SectionList tab="deprecated" /> };

function OtherIntroduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={[
        [t('others.intro.what'), t('others.intro.whatText')],
        [t('others.intro.srt'), t('others.intro.srtText')],
      ]}
    />
  );
}

/** Features kept for existing users. */
function DeprecatedIntroduction() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Answers
      answers={[
        [t('others.old.what'), t('others.old.whatText')],
        [
          t('others.old.instead'),
          <>
            {t('others.old.insteadText')}{' '}
            <Anchor component={Link} to={localPath(`${paths.scenario}?tab=record`)} size="sm">
              {t('others.old.record')}
            </Anchor>
          </>,
        ],
      ]}
    />
  );
}

function SectionList({ tab }: { tab: Tab }) {
  const { t } = useTranslation();
  const sections = useFeatures().flatMap((feature) => feature.sections?.filter((section) => section.tab === tab) ?? []);
  const open = useOpenSection(sections.map(({ id }) => id));
  return (
    <Accordion
      key={open}
      initial={open}
      items={sections.map(({ id, title, help, panel }) => ({
        key: id,
        title: t(title),
        help: t(help),
        content: (
          <Suspense fallback={<PageSkeleton />}>
            <panel.Component />
          </Suspense>
        ),
      }))}
    />
  );
}

/** Section named by the address, else none: the introduction is open instead. */
function useOpenSection(names: readonly string[]): string {
  const [query] = useSearchParams();
  const wanted = query.get('ctab') ?? '';
  const named = names.includes(wanted) ? wanted : undefined;
  // Keeps the open section while the address names another tab.
  const [last, setLast] = useState(named ?? '');
  if (named !== undefined && named !== last) setLast(named);
  return named ?? last;
}
