/** Contents of the files by path. */
export const files = import.meta.glob(['./zh/pages/*.json', './zh/shell/{errs,helper,player,shell}.json'], {
  eager: true,
  import: 'default',
});
