/** Contents of the files by path. */
export const files = import.meta.glob(
  ['./zh/pages/{pages,server-console,whip}.json', './zh/shell/{errs,helper,player,shell}.json'],
  {
    eager: true,
    import: 'default',
  },
);
