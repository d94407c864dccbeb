import { findList, planList, readCodes } from '../imports/parsing/find-list.ts'

/** The thread for lists runs this by name; see `file-parsers.ts`. */
export const findListHere = findList
export const readCodesHere = readCodes
export const planListHere = planList
