import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { parseForceStyle, positions, type SubtitleStyle, styleLines, withStyle } from './force-style.ts';
import classes from './style-editor.module.css';

interface StyleEditorProps {
  /** Saved form: `Alignment=2,MarginV=20`. */
  text: string;
  onChange: (text: string) => void;
}

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

/**
 * libass measures a font from its highest to its lowest point, browsers by its em: this share of it for sans-serif
 * fonts.
 */
const emOfFontSize = 0.895;

/** Preview of a frame with a burnt-in subtitle, scaled to the page. */
function StylePreview({ style }: { style: SubtitleStyle }) {
  const { t } = useTranslation();
  const lines = (value: number) => `calc(${value} * 100cqh / ${styleLines})`;
  const column = ((style.position - 1) % 4) as 0 | 1 | 2;
  const row = style.position <= 3 ? 'flex-end' : style.position <= 7 ? 'flex-start' : 'center';
  const outline = lines(style.outline);
  const frame: CSSProperties = {
    alignItems: row,
    justifyContent: (['flex-start', 'center', 'flex-end'] as const)[column],
    textAlign: (['left', 'center', 'right'] as const)[column],
    padding: `${lines(style.margin)} ${lines(10)}`,
  };
  const text: CSSProperties = {
    color: style.colour,
    fontSize: lines(style.fontSize * emOfFontSize),
    fontWeight: style.isBold ? 700 : 400,
    ...(style.isBoxed
      ? { background: style.outlineColour, padding: outline }
      : { WebkitTextStroke: `calc(2 * ${outline}) ${style.outlineColour}` }),
  };
  return (
    <figure className={classes.figure}>
      <div className={classes.screen}>
        <div className={classes.frame} style={frame}>
          <span className={classes.sample} style={text}>
            {t('transcript.style.sample')}
          </span>
        </div>
      </div>
      <figcaption className={classes.caption}>{t('transcript.style.preview')}</figcaption>
    </figure>
  );
}
