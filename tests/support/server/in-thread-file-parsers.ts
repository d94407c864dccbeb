import type { FileParsers } from '#server/file-parsers/file-parsers.ts'
import { makeLogo } from '#server/images/engine/make-logo.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { findList, planList, readCodes } from '#server/imports/parsing/find-list.ts'

/** Parses files in this thread. Only tests of the parsers themselves use the product's threads. */
export const inThreadFileParsers: FileParsers = { findList, readCodes, planList, inspect, makeLogo }
