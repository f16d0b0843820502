import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../../components/guide/guide.module.css';

const questions = ['what', 'which', 'watch', 'secret'] as const;

/** What this is, which way to take, and what to keep to oneself. */
export function Introduction() {
  const { t } = useTranslation();
  return (
    <dl className={classes.questions}>
      {questions.map((question) => (
        <div key={question}>
          <dt>{t(`live.intro.${question}`)}</dt>
          <Text component="dd" size="sm">
            {t(`live.introText.${question}`)}
          </Text>
        </div>
      ))}
    </dl>
  );
}
