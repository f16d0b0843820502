import { useTranslation } from 'react-i18next';
import { Answers } from '../../components/ui/facts/answers.tsx';

const questions = ['what', 'how', 'end', 'full'] as const;

export function RecordIntroduction() {
  const { t } = useTranslation();
  return (
    <Answers
      answers={questions.map((question) => [t(`record.intro.${question}`), t(`record.introText.${question}`)] as const)}
    />
  );
}
