import { useTranslation } from 'react-i18next';
import { Answers } from '../../components/ui/facts/answers.tsx';

const questions = ['what', 'which', 'watch', 'secret'] as const;

/** What this is, which way to take, and what to keep to oneself. */
export function Introduction() {
  const { t } = useTranslation();
  return (
    <Answers answers={questions.map((question) => [t(`live.intro.${question}`), t(`live.introText.${question}`)])} />
  );
}
