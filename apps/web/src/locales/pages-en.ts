/** Contents of the files by path. */
export const files = import.meta.glob(
  ['./en/pages/{pages,server-console,whip}.json', './en/shell/{errs,helper,player,shell}.json'],
  {
    eager: true,
    import: 'default',
  },
);
