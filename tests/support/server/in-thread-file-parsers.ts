import type { FileParsers } from '#server/file-parsers/file-parsers.ts'
import { makeLogo } from '#server/images/engine/make-logo.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { findList, planList, readCodes } from '#server/imports/parsing/find-list.ts'

/** Parses files in this thread, for tests of other things. `foreign-files.test.ts` uses the product's threads. */
export const inThreadFileParsers: FileParsers = { findList, readCodes, planList, inspect, makeLogo }
