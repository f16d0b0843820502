import classes from './json-text.module.css';
import { prettyJson } from './pretty-json.ts';

interface JsonTextProps {
  /** What it is, for those who cannot see where it stands. */
  label: string;
  /** JSON; anything else is shown as it is. */
  text: string;
}

/** A JSON text, one field a line. Long ones scroll by themselves. */
export function JsonText({ label, text }: JsonTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className={classes.box} tabIndex={0} aria-label={label}>
      <pre>{prettyJson(text)}</pre>
    </section>
  );
}
