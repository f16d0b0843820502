import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { type SubtitleStyle, styleLines } from './force-style.ts';
import classes from './style-editor.module.css';

/** libass measures a font from its highest to its lowest point, browsers by its em: of sans-serif fonts this part of it. */
const emOfFontSize = 0.895;

/** A frame with a subtitle as it will be burnt in, at the size that the frame has on the page. */
export function StylePreview({ style }: { style: SubtitleStyle }) {
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
