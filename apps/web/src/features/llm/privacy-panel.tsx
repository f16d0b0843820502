import { useQuery } from '@tanstack/react-query';
import { aiNeeds } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { answerersQuery } from '../../components/ai/ai-queries.ts';
import { PrivacyLine } from '../../components/ai/privacy-line.tsx';
import { FactList } from '../../components/ui/facts/fact-list.tsx';
import { Section } from '../../components/ui/layout/section.tsx';

/** What leaves this server, and where it goes, with the default settings. */
export function PrivacyPanel() {
  const { t } = useTranslation();
  const { data } = useQuery(answerersQuery());
  return (
    <Section title={t('llm.privacy.title')} help={t('llm.privacy.help')}>
      {data && (
        <FactList
          facts={aiNeeds.map((need) => ({
            term: t(`llm.need.${need}`),
            value: <PrivacyLine answerer={data[need]} />,
          }))}
        />
      )}
    </Section>
  );
}
