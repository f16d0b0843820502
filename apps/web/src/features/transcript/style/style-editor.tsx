import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parseForceStyle, positions, type SubtitleStyle, withStyle } from './force-style.ts';
import classes from './style-editor.module.css';
import { StylePreview } from './style-preview.tsx';

interface StyleEditorProps {
  /** As it is saved: `Alignment=2,MarginV=20`. */
  text: string;
  onChange: (text: string) => void;
}

/** Controls for what is changed most, with the result beside them. */
export function StyleEditor({ text, onChange }: StyleEditorProps) {
  const { t } = useTranslation();
  const style = parseForceStyle(text);
  const change = (part: Partial<SubtitleStyle>) => onChange(withStyle(text, part));
  const number = (name: 'fontSize' | 'outline' | 'margin', least: number, most: number) => (
    <TextInput
      type="number"
      min={least}
      max={most}
      label={t(`transcript.style.${name}`)}
      value={style[name]}
      onChange={(event) => {
        const { valueAsNumber } = event.currentTarget;
        if (valueAsNumber >= least && valueAsNumber <= most) change({ [name]: valueAsNumber });
      }}
    />
  );
  const colour = (name: 'colour' | 'outlineColour') => (
    <TextInput
      type="color"
      label={t(`transcript.style.${name}`)}
      value={style[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <fieldset className={classes.editor}>
      <legend className={classes.legend}>{t('transcript.style.title')}</legend>
      <SimpleGrid cols={2} spacing="sm" className={classes.controls}>
        {number('fontSize', 1, 200)}
        {colour('colour')}
        {number('outline', 0, 20)}
        {colour('outlineColour')}
        <NativeSelect
          label={t('transcript.style.position')}
          data={positions.map(([value, name]) => ({ value: String(value), label: t(`transcript.position.${name}`) }))}
          value={String(style.position)}
          onChange={(event) => change({ position: Number(event.currentTarget.value) })}
        />
        {number('margin', 0, 144)}
        <Checkbox
          label={t('transcript.style.bold')}
          checked={style.isBold}
          onChange={(event) => change({ isBold: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('transcript.style.boxed')}
          checked={style.isBoxed}
          onChange={(event) => change({ isBoxed: event.currentTarget.checked })}
        />
      </SimpleGrid>
      <StylePreview style={style} />
    </fieldset>
  );
}
