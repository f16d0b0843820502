/** Programs that ask by HTTP take a server that says nothing for longer than this for a broken one. */
export const httpPatienceMs = 3000;
