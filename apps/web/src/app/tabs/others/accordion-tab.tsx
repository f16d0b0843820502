import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Answers } from '../../../components/ui/facts/answers.tsx';
import { Accordion } from '../../../components/ui/layout/accordion.tsx';

interface AccordionTabProps {
  /** Key of the introduction. */
  tab: string;
  answers: Parameters<typeof Answers>[0]['answers'];
  /** Further sections, keyed by their name in the address. */
  sections: readonly {
    readonly name: string;
    readonly title: string;
    readonly help: string;
    readonly content: ReactNode;
  }[];
}

export function AccordionTab({ tab, answers, sections }: AccordionTabProps) {
  const { t } = useTranslation();
  const section = useSection([tab, ...sections.map(({ name }) => name)]);
  return (
    <Accordion
      key={section}
      initial={section}
      items={[
        { key: tab, title: t('others.intro.title'), content: <Answers answers={answers} /> },
        ...sections.map(({ name, ...item }) => ({ key: name, ...item })),
      ]}
    />
  );
}

/** Section named by the address, else the first. */
function useSection(names: readonly [string, ...string[]]): string {
  const [query] = useSearchParams();
  const asked = query.get('ctab') ?? '';
  const named = names.includes(asked) ? asked : undefined;
  // Keeps the open section while the address names another tab.
  const [last, setLast] = useState(named ?? names[0]);
  if (named !== undefined && named !== last) setLast(named);
  return named ?? last;
}
