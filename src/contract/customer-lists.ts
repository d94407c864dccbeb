import { object } from 'superstruct'
import { listOf, pageQuery } from './answers.ts'
import type { AnyCall } from './call.ts'
import { Package } from './catalogue.ts'
import * as find from './customer-find.ts'
import * as people from './find-people.ts'
import { GreenScreen, JobField, listGreenScreens, listJobFields } from './job-offers.ts'

// The short lists as the server answers them. Our own screens ask for them whole, by the calls these are made of, and so never
// carry or unwrap a page.

export const featuresInPages = {
  ...find.getStudioFeatures,
  query: object(pageQuery),
  answer: listOf(find.Feature),
} satisfies AnyCall

export const packagesInPages = {
  ...find.listPackages,
  query: object({ ...find.listPackages.query.schema, ...pageQuery }),
  answer: listOf(Package),
} satisfies AnyCall

export const peopleInPages = {
  ...people.searchSubjects,
  query: object({ ...people.searchSubjects.query.schema, ...pageQuery }),
  answer: listOf(people.FoundSubject),
} satisfies AnyCall

export const imagesInPages = {
  ...find.listImages,
  query: object({ ...find.imagesQuery, ...pageQuery }),
  answer: listOf(find.Image),
} satisfies AnyCall

export const greenScreensInPages = {
  ...listGreenScreens,
  query: object(pageQuery),
  answer: listOf(GreenScreen),
} satisfies AnyCall

export const jobFieldsInPages = {
  ...listJobFields,
  query: object(pageQuery),
  answer: listOf(JobField),
} satisfies AnyCall
