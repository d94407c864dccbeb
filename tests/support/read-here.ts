import type { ForeignFiles } from '../../src/server/foreign-files/foreign-files.ts'
import { findList, planList, readCodes } from '../../src/server/imports/find-list.ts'
import { inspect } from '../../src/server/pictures/inspect.ts'
import { makeLogo } from '../../src/server/pictures/logo.ts'

/** Reads files from outside in this thread, for tests of other things; `foreign-files.test.ts` has the product's threads. */
export const readHere: ForeignFiles = { findList, readCodes, planList, inspect, makeLogo }
