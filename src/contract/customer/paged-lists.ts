import { object } from 'superstruct'
import type { AnyCall } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import * as find from './discovery-calls.ts'
import * as people from './find-subjects.ts'
import { GreenScreen, JobField, listGreenScreens, listJobFields } from './job-offers.ts'

// Paged versions of short lists, for the server. The screens use the unpaged calls they are made from, and so never
// load or unwrap a page.

export const pagedStudioFeatures = {
  ...find.getStudioFeatures,
  query: object(pageQuery),
  answer: listOf(find.Feature),
} satisfies AnyCall

export const pagedPackages = {
  ...find.listPackages,
  query: object({ ...find.listPackages.query.schema, ...pageQuery }),
  answer: listOf(Package),
} satisfies AnyCall

export const pagedSubjects = {
  ...people.searchSubjects,
  query: object({ ...people.searchSubjects.query.schema, ...pageQuery }),
  answer: listOf(people.SubjectSearchResult),
} satisfies AnyCall

export const pagedImages = {
  ...find.listImages,
  query: object({ ...find.imagesQuery, ...pageQuery }),
  answer: listOf(find.Image),
} satisfies AnyCall

export const pagedGreenScreens = {
  ...listGreenScreens,
  query: object(pageQuery),
  answer: listOf(GreenScreen),
} satisfies AnyCall

export const pagedJobFields = {
  ...listJobFields,
  query: object(pageQuery),
  answer: listOf(JobField),
} satisfies AnyCall
