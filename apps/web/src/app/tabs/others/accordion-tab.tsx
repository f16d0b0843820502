import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Answers } from '../../../components/ui/facts/answers.tsx';
import { Accordion } from '../../../components/ui/layout/accordion.tsx';

interface AccordionTabProps {
  /** The tab, whose own section is the introduction. */
  tab: string;
  answers: Parameters<typeof Answers>[0]['answers'];
  /** The others, under the name an address gives them. */
  sections: readonly {
    readonly name: string;
    readonly title: string;
    readonly help: string;
    readonly content: ReactNode;
  }[];
}

/** A child tab: an introduction and what it is about, opened at the section the address names. */
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

/** The section the address names, else the first. */
function useSection(names: readonly [string, ...string[]]): string {
  const [query] = useSearchParams();
  const asked = query.get('ctab') ?? '';
  const named = names.includes(asked) ? asked : undefined;
  // While another tab is shown the address names none of ours; what is open then stays.
  const [last, setLast] = useState(named ?? names[0]);
  if (named !== undefined && named !== last) setLast(named);
  return named ?? last;
}
