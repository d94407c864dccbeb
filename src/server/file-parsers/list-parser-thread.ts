import { findList, planList, readCodes } from '../imports/parsing/find-list.ts'

/** The thread for lists calls these functions by name; see `file-parsers.ts`. */
export const findListInThread = findList
export const readCodesInThread = readCodes
export const planListInThread = planList
