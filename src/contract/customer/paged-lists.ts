import { object } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Image } from '../shapes/image-structs.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import * as find from './discovery-calls.ts'
import * as people from './find-subjects.ts'
import { GreenScreen, JobField, listGreenScreens, listJobFields } from './job-offers.ts'

// Paged versions of short lists, for the server. The screens use the unpaged calls they are made from, and so never
// load or unwrap a page.

export const pagedStudioFeatures = call({
  ...find.getStudioFeatures,
  query: object(pageQuery),
  answer: listOf(find.Feature),
})

export const pagedPackages = call({
  ...find.listPackages,
  query: object({ ...find.listPackages.query.schema, ...pageQuery }),
  answer: listOf(Package),
})

export const pagedSubjects = call({
  ...people.searchSubjects,
  query: object({ ...people.searchSubjects.query.schema, ...pageQuery }),
  answer: listOf(people.SubjectSearchResult),
})

export const pagedImages = call({
  ...find.listImages,
  query: object({ ...find.imagesQuery, ...pageQuery }),
  answer: listOf(Image),
})

export const pagedGreenScreens = call({
  ...listGreenScreens,
  query: object(pageQuery),
  answer: listOf(GreenScreen),
})

export const pagedJobFields = call({
  ...listJobFields,
  query: object(pageQuery),
  answer: listOf(JobField),
})
