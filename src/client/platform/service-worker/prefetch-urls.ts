import {
  getAvailability,
  getJobPreferences,
  getStudio,
  getSubject,
  listImages,
  listPackages,
  lookUpJob,
  withReplacements,
} from '#contract/customer/discovery-calls.ts'
import { getJobServices, listGreenScreens, listJobFields } from '#contract/customer/job-offers.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { orderMethods } from '#domain/catalogue/catalogue.ts'

export type PrefetchJob = { studioSlug: string; studioId: number | undefined; jobId: number }
export type PrefetchSubject = PrefetchJob & { subjectId: number }

/** The URLs of a job and its catalogue. */
export const jobUrls = ({ studioSlug, studioId, jobId }: PrefetchJob): string[] => [
  pathOf(getAvailability, { jobId }, {}),
  pathOf(getStudio, { slug: studioSlug }, {}),
  pathOf(lookUpJob, { jobId }, {}),
  ...(studioId === undefined
    ? []
    : [pathOf(getJobPreferences, { studioId, jobId }, {}), pathOf(getJobServices, { studioId, jobId }, {})]),
  ...orderMethods.map((orderMethod) => pathOf(listPackages, { jobId }, { orderMethod })),
  pathOf(listJobFields, { jobId }, {}),
]

/**
 * Every URL a customer needs to order for one subject offline, up to payment. Typed-in subjects have nothing to fetch.
 */
export const subjectUrls = ({ subjectId, ...job }: PrefetchSubject): string[] => {
  const subjectParams = { jobId: job.jobId, subjectId }
  if (subjectId < 0) return jobUrls(job)
  return [
    ...jobUrls(job),
    pathOf(getSubject, subjectParams, {}),
    pathOf(listImages, subjectParams, withReplacements),
    pathOf(listGreenScreens, { jobId: job.jobId }, {}),
  ]
}
