import { createContext } from 'react';

/** True inside pages that stay mounted while hidden. */
export const KeepAliveContext = createContext(false);
