import { ActionIcon } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { carousel } from '@weir/contract';
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '../theme/icons.ts';
import classes from './carousel.module.css';

interface Slide {
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Shows one slide at a time and advances until the user hovers, focuses, pauses, or prefers reduced motion. */
export function Carousel({ label, slides }: { label: string; slides: readonly Slide[] }) {
  const { t } = useTranslation();
  const wantsLessMotion = useReducedMotion();
  const [index, setIndex] = useState(0);
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const [isPaused, setIsPaused] = useState(false);
  const isPlaying = !isPaused && !wantsLessMotion;
  const isMoving = isPlaying && !isHovered && !isFocused;
  const turn = (steps: number) => setIndex((before) => (before + steps + slides.length) % slides.length);
  const swipe = useSwipe(turn);

  useEffect(() => {
    if (!isMoving) return;
    const timer = setTimeout(() => setIndex((index + 1) % slides.length), carousel.intervalMs);
    return () => clearTimeout(timer);
  }, [isMoving, index, slides.length]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      aria-roledescription={t('carousel.carousel')}
      aria-label={label}
      className={classes.carousel}
      onMouseEnter={() => setIsHovered(true)}
      onMouseLeave={() => setIsHovered(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={(event) => setIsFocused(holdsFocus(event))}
    >
      <div className={classes.stage} aria-live={isMoving ? 'off' : 'polite'} {...swipe}>
        {slides.map(({ key, title, content }, place) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
          <div
            key={key}
            role="group"
            aria-roledescription={t('carousel.slide')}
            aria-label={t('carousel.place', { place: place + 1, number: slides.length, title })}
            hidden={place !== index}
          >
            {content}
          </div>
        ))}
      </div>
      <div className={classes.controls}>
        <Control label={t('carousel.previous')} onClick={() => turn(-1)}>
          <IconChevronLeft size={20} aria-hidden />
        </Control>
        <div className={classes.dots}>
          {slides.map(({ key, title }, place) => (
            <button
              key={key}
              type="button"
              className={classes.dot}
              aria-label={t('carousel.show', { title })}
              aria-current={place === index}
              onClick={() => setIndex(place)}
            />
          ))}
        </div>
        {!wantsLessMotion && (
          <Control label={t(isPaused ? 'carousel.play' : 'carousel.pause')} onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />}
          </Control>
        )}
        <Control label={t('carousel.next')} onClick={() => turn(1)}>
          <IconChevronRight size={20} aria-hidden />
        </Control>
      </div>
    </div>
  );
}

function Control({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <ActionIcon variant="filled" color="dark.5" size="lg" aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

function holdsFocus({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}

/** Swiping far enough sideways turns the slide and suppresses the click. */
function useSwipe(turn: (steps: number) => void) {
  const startX = useRef<number>(undefined);
  const hasSwiped = useRef(false);
  return {
    onPointerDown: ({ clientX }: PointerEvent) => {
      startX.current = clientX;
      hasSwiped.current = false;
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      const movedPx = startX.current === undefined ? 0 : clientX - startX.current;
      startX.current = undefined;
      if (Math.abs(movedPx) < carousel.swipePx) return;
      hasSwiped.current = true;
      turn(movedPx < 0 ? 1 : -1);
    },
    onPointerCancel: () => {
      startX.current = undefined;
    },
    onClickCapture: (event: MouseEvent) => {
      if (hasSwiped.current) event.preventDefault();
      hasSwiped.current = false;
    },
  };
}
