import classes from './code-text.module.css';

/** An id or a file: cut where there is no room, whole on hover. */
export function CodeText({ text }: { text: string }) {
  return (
    <span className={classes.code} title={text}>
      {text}
    </span>
  );
}
