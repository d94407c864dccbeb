import { findList, planList, readCodes } from '../imports/find-list.ts'
import { inspect } from '../pictures/inspect.ts'
import { makeLogo } from '../pictures/logo.ts'

/** What a thread of `foreign-files.ts` runs, by name. */
export const findListHere = findList
export const readCodesHere = readCodes
export const planListHere = planList
export const inspectHere = inspect
export const makeLogoHere = makeLogo
