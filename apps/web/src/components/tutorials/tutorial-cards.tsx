import { TutorialCard } from './tutorial-card.tsx';
import type { TutorialSet } from './tutorial-list.ts';
import classes from './tutorials.module.css';
import { useTutorials } from './use-tutorials.ts';

export function TutorialCards({ set }: { set: TutorialSet }) {
  const tutorials = useTutorials(set);
  return (
    <ul className={classes.cards}>
      {tutorials.map((tutorial) => (
        <TutorialCard key={tutorial.link} tutorial={tutorial} />
      ))}
    </ul>
  );
}
