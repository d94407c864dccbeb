import type { Infer } from 'superstruct'
import { getStudio, getSubject, lookUpJob } from '#contract/customer/discovery-calls.ts'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import { type OrderMethod, orderMethods } from '#domain/catalogue/catalogue.ts'
import { readCart } from '../cart.ts'
import { parseStoredResponse } from '../transport/request.ts'
import { catalogueCache } from './cache-names.ts'
import type { LocalDatabase } from './database.ts'

/** A job opened on this device, as far as the device knows it without a request. */
export type RecentJob = {
  studioSlug: string
  jobId: number
  jobName: string | null
  studioName: string | null
  /** The subjects confirmed or typed in, without those whose names are not stored. */
  subjects: RecentSubject[]
  packageCount: number
}

export type RecentSubject = { subjectId: number; firstName: string; imageThumbnailUrl: string | null }

const maxJobs = 6

/** Reads the response that the worker stored for a call; undefined if there is none. */
const readStoredResponse = async <Call extends AnyCall>(
  cache: Cache | undefined,
  call: Call,
  params: Parameters<typeof pathOf>[1],
): Promise<Infer<Call['answer']> | undefined> => {
  const response = await cache?.match(pathOf(call, params, {}), { ignoreVary: true })
  return response && parseStoredResponse(call, await response.text())
}

/** The studio of each job that a code opened on this device, and of the job opened last, which comes first. */
const readOpenedJobs = async (db: LocalDatabase) => {
  const [codes, last] = await Promise.all([db.codes.reverse().toArray(), db.device.get('visit')])
  const lastJob = last?.key === 'visit' ? last.value : null
  const jobs = new Map<number, { studioSlug: string; studioName: string | null }>()
  if (lastJob && lastJob.jobId !== null)
    jobs.set(lastJob.jobId, { studioSlug: lastJob.studioSlug, studioName: lastJob.studioName ?? null })
  for (const { jobId, studioSlug } of codes) if (!jobs.has(jobId)) jobs.set(jobId, { studioSlug, studioName: null })
  return [...jobs]
}

const readSubjects = async (db: LocalDatabase, cache: Cache | undefined, jobId: number): Promise<RecentSubject[]> => {
  const [confirmed, typed] = await Promise.all([
    db.subjects.where({ jobId }).toArray(),
    db.people.where({ jobId }).toArray(),
  ])
  const stored = await Promise.all(
    confirmed.map(({ subjectId }) => readStoredResponse(cache, getSubject, { jobId, subjectId })),
  )
  return [
    ...stored.flatMap((subject) =>
      subject
        ? [{ subjectId: subject.id, firstName: subject.firstName, imageThumbnailUrl: subject.imageThumbnailUrl }]
        : [],
    ),
    ...typed.map(({ n, firstName }) => ({ subjectId: -n, firstName, imageThumbnailUrl: null })),
  ]
}

const countPackages = async (db: LocalDatabase, jobId: number): Promise<number> => {
  const carts = await Promise.all(orderMethods.map((method: OrderMethod) => readCart(db, jobId, method)))
  return carts.reduce((sum, { packageCount }) => sum + packageCount, 0)
}

/**
 * The job opened last on this device, then the others, those with packages in their carts first; six at most. Reads only what the device stores,
 * so it is the same without a network.
 */
export const readRecentJobs = async (db: LocalDatabase, caches: CacheStorage | undefined): Promise<RecentJob[]> => {
  const [jobs, cache] = await Promise.all([readOpenedJobs(db), caches?.open(catalogueCache)])
  const recentJobs = await Promise.all(
    jobs.map(async ([jobId, { studioSlug, studioName }]) => {
      const [job, studio, subjects, packageCount] = await Promise.all([
        readStoredResponse(cache, lookUpJob, { jobId }),
        readStoredResponse(cache, getStudio, { slug: studioSlug }),
        readSubjects(db, cache, jobId),
        countPackages(db, jobId),
      ])
      return {
        ...{ studioSlug, jobId, subjects, packageCount },
        jobName: job?.name ?? null,
        studioName: studio?.name ?? studioName,
      }
    }),
  )
  const [last, ...others] = recentJobs
  const inOrder = others.toSorted((first, second) => Number(second.packageCount > 0) - Number(first.packageCount > 0))
  return last ? [last, ...inOrder].slice(0, maxJobs) : []
}
