import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import type { S3Bucket } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import classes from './bucket-fields.module.css';
import type { BucketField, BucketProblem } from './bucket-problem.ts';

interface BucketFieldsProps {
  value: S3Bucket;
  problem: BucketProblem | undefined;
  onEdit: (change: Partial<S3Bucket>) => void;
  /** Example of a folder. */
  folder: string;
  /** Help of the folder. */
  folderHelp: string;
}

/** Fields of an S3 bucket. The secret is shown as a mask that stands for the saved one. */
export function BucketFields({ value, problem, onEdit, folder, folderHelp }: BucketFieldsProps) {
  const { t } = useTranslation();
  const input = (name: BucketField) => ({
    size: 'md',
    label: t(`cloud.bucket.${name}`),
    description: name === 'prefix' ? folderHelp : t(`cloud.bucket.${name}Help`),
    autoComplete: 'off',
    spellCheck: false,
    value: value[name],
    error: problem?.field === name ? t(`cloud.bucket.${problem.text}`) : undefined,
    onChange: (event: { currentTarget: { value: string } }) => onEdit({ [name]: event.currentTarget.value.trim() }),
  });
  return (
    <>
      <TextInput {...input('endpoint')} placeholder="https://example.com:9000" inputMode="url" />
      <div className={classes.pair}>
        <TextInput {...input('bucket')} />
        <TextInput {...input('region')} placeholder="us-east-1" />
        <TextInput {...input('accessKeyId')} data-1p-ignore />
        <PasswordInput
          {...input('secretAccessKey')}
          data-1p-ignore
          visibilityToggleButtonProps={{ 'aria-label': t('helper.reveal') }}
          // Selects the mask, so that typing replaces it.
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <TextInput {...input('prefix')} placeholder={folder} />
      <Checkbox
        label={t('cloud.bucket.pathStyle')}
        description={t('cloud.bucket.pathStyleHelp')}
        checked={value.pathStyle}
        onChange={(event) => onEdit({ pathStyle: event.currentTarget.checked })}
      />
    </>
  );
}
