import { array, is } from 'superstruct'
import { listCarts } from '#contract/customer/cart-calls.ts'
import type { CodePage } from '#contract/customer/code-page.ts'
import {
  CustomerJob,
  getAvailability,
  getJobPreferences,
  getStudio,
  getSubject,
  JobAvailability,
  listImages,
  listPackages,
  lookUpJob,
  withReplacements,
} from '#contract/customer/discovery-calls.ts'
import { listJobFields } from '#contract/customer/job-offers.ts'
import { RedeemedCode, redeemCode } from '#contract/customer/session-calls.ts'
import { pathOf } from '#contract/shapes/call.ts'
import { Image } from '#contract/shapes/image-structs.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import { chooseOrderMethod } from '#domain/catalogue/job-availability.ts'
import type { OwnApi } from './own-api.ts'

export type CodeAddress = { readonly studioSlug: string; readonly code: string }

/** The responses for the first screen of a code. `setCookie`: of a new session, or to renew the current one. */
export type CodeResponses = {
  readonly page: CodePage
  readonly setCookie: string | string[] | undefined
  /** What the code opened; null for a wrong code. */
  readonly redeemed: RedeemedCode | null
  /** The image that the first screen shows; null if there is none. */
  readonly image: Image | null
}

const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined

/** The image that the client shows first: the subject's own before those of its groups. */
const firstImage = (images: unknown): Image | null => {
  if (!is(images, array(Image))) return null
  const ownImage = images.find(({ type }) => type === 'hosted-individual')
  return ownImage ?? images.find(({ type }) => type === 'hosted-group') ?? null
}

/** The calls that the first screen makes as soon as it knows what the code opened. */
const firstPaths = ({ studioSlug }: CodeAddress, { jobId, studioId, subject }: RedeemedCode) => ({
  availability: pathOf(getAvailability, { jobId }, {}),
  job: pathOf(lookUpJob, { jobId }, {}),
  images: subject && pathOf(listImages, { jobId, subjectId: subject.id }, withReplacements),
  others: [
    pathOf(getStudio, { slug: studioSlug }, {}),
    pathOf(getJobPreferences, { studioId, jobId }, {}),
    pathOf(listCarts, { jobId }, {}),
    ...(subject ? [pathOf(getSubject, { jobId, subjectId: subject.id }, {})] : []),
  ],
})

/** The calls that depend on the order method that the first screen shows. */
const methodPaths = ({ jobId, subject }: RedeemedCode, availability: unknown, job: unknown): string[] => {
  if (!is(availability, JobAvailability) || !is(job, CustomerJob)) return []
  const { method } = chooseOrderMethod({ preferredMethod: null, availability, ...job })
  return [
    ...(subject && method !== 'unknown' ? [pathOf(listPackages, { jobId }, { orderMethod: method })] : []),
    ...(method === 'prepay' ? [pathOf(listJobFields, { jobId }, {})] : []),
  ]
}

/**
 * Redeems a code and collects the responses for its first screen. A wrong code counts as a guess; its response is
 * returned too, so that the client does not guess again. Undefined if the API refused to answer, for example to slow
 * down guesses; the client then sends its own request.
 */
export const collectResponses = async (api: OwnApi, address: CodeAddress): Promise<CodeResponses | undefined> => {
  const { studioSlug, code } = address
  const responses: Record<string, CodePage['responses'][string]> = {}
  let imagesVersion: string | null = null
  const collect = async (path: string): Promise<unknown> => {
    const { status, body, headers } = await api.get(path)
    imagesVersion = headers[imagesHeader] ?? imagesVersion
    if (status === 200) responses[path] = { status, body }
    return dataOf(body)
  }
  const codePath = pathOf(redeemCode, { slug: studioSlug }, { code })
  const redemption = await api.get(codePath)
  const { status, body, setCookie } = redemption
  if (status !== 200 && status !== 404) return undefined
  responses[codePath] = { status, body }
  const data = dataOf(body)
  const redeemed = status === 200 && is(data, RedeemedCode) ? data : null
  if (!redeemed) return { page: { studioSlug, code, imagesVersion, responses }, setCookie, redeemed, image: null }
  const { availability, job, images, others } = firstPaths(address, redeemed)
  const [availabilityData, jobData, imagesData] = await Promise.all([
    collect(availability),
    collect(job),
    images && collect(images),
    ...others.map(collect),
  ])
  await Promise.all(methodPaths(redeemed, availabilityData, jobData).map(collect))
  const page = { studioSlug, code, imagesVersion, responses }
  return { page, setCookie, redeemed, image: firstImage(imagesData) }
}
