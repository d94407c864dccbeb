import { findList, planList, readCodes } from '../imports/parsing/find-list.ts'

/** What the thread for lists of `foreign-files.ts` runs, by name. */
export const findListHere = findList
export const readCodesHere = readCodes
export const planListHere = planList
