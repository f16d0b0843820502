import { type RefObject, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconBadgeCc, IconBadgeCcFilled, IconCheck } from '../icons.ts';
import controls from '../player-controls.module.css';
import { usePlayerKeys } from '../use-player-keys.ts';
import classes from './caption-button.module.css';
import { readCaptionChoice } from './caption-choice.ts';
import type { Captions } from './use-captions.ts';

interface CaptionButtonProps {
  captions: Captions;
  frame: RefObject<HTMLElement | null>;
}

/** Toggles subtitles, or opens a menu if there are several languages. Shortcut: C. */
export function CaptionButton({ captions: { tracks, track, choose }, frame }: CaptionButtonProps) {
  const { t, i18n } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const toggle = () => {
    const language = track?.language ?? readCaptionChoice()?.language ?? i18n.language;
    choose({ isOn: !track, language });
  };
  usePlayerKeys(frame, { c: toggle });
  const isMenu = tracks.length > 1;
  const name = isMenu ? t('player.captions') : track ? t('player.hideCaptions') : t('player.showCaptions');
  const take = (language: string | undefined) => {
    choose(language === undefined ? { isOn: false, language: track?.language ?? '' } : { isOn: true, language });
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <fieldset
      className={classes.anchor}
      aria-label={t('player.captions')}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className={controls.control}
        aria-label={name}
        aria-keyshortcuts="c"
        title={`${name} (c)`}
        {...(isMenu ? { 'aria-expanded': isOpen, 'aria-controls': menuId } : { 'aria-pressed': track !== undefined })}
        onClick={() => (isMenu ? setIsOpen(!isOpen) : toggle())}
      >
        {track ? <IconBadgeCcFilled size={22} aria-hidden /> : <IconBadgeCc size={22} aria-hidden />}
      </button>
      {isMenu && isOpen && (
        <div id={menuId} className={classes.menu}>
          <Choice name={t('player.noCaptions')} isChosen={!track} onTake={() => take(undefined)} />
          {tracks.map((each) => (
            <Choice
              key={each.language}
              name={each.name || each.language}
              lang={each.language}
              isChosen={each.language === track?.language}
              onTake={() => take(each.language)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  lang?: string;
  isChosen: boolean;
  onTake: () => void;
}

function Choice({ name, lang, isChosen, onTake }: ChoiceProps) {
  return (
    <button type="button" className={classes.choice} lang={lang} aria-pressed={isChosen} onClick={onTake}>
      <span className={classes.mark}>{isChosen && <IconCheck size={16} aria-hidden />}</span>
      {name}
    </button>
  );
}
