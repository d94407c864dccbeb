import { object } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Package } from '../shapes/catalogue-structs.ts'
import { Image } from '../shapes/image-structs.ts'
import { listOf, pageQuery } from '../shapes/responses.ts'
import * as discovery from './discovery-calls.ts'
import * as subjectSearch from './find-subjects.ts'
import * as offers from './job-offers.ts'

// Paged versions of short lists, under the names of the unpaged calls they replace on the server. The screens use the
// unpaged calls, and so never load or unwrap a page.

export const getStudioFeatures = call({
  ...discovery.getStudioFeatures,
  query: object(pageQuery),
  answer: listOf(discovery.Feature),
})

export const listPackages = call({
  ...discovery.listPackages,
  query: object({ ...discovery.listPackages.query.schema, ...pageQuery }),
  answer: listOf(Package),
})

export const searchSubjects = call({
  ...subjectSearch.searchSubjects,
  query: object({ ...subjectSearch.searchSubjects.query.schema, ...pageQuery }),
  answer: listOf(subjectSearch.SubjectSearchResult),
})

export const listImages = call({
  ...discovery.listImages,
  query: object({ ...discovery.imagesQuery, ...pageQuery }),
  answer: listOf(Image),
})

export const listGreenScreens = call({
  ...offers.listGreenScreens,
  query: object(pageQuery),
  answer: listOf(offers.GreenScreen),
})

export const listJobFields = call({
  ...offers.listJobFields,
  query: object(pageQuery),
  answer: listOf(offers.JobField),
})
