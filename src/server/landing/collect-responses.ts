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
import type { Deps } from '../deps.ts'
import type { OwnApi } from './own-api.ts'

type Log = Deps['log']

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

type Collected = Omit<CodePage, keyof CodeAddress>

/** Collects the responses of API calls. A call that fails is left to the client. */
const createCollector = (api: OwnApi, log: Log) => {
  const responses: Record<string, CodePage['responses'][string]> = {}
  /** The version of the images in the first response and in the list of images. In a later response it could be newer. */
  const versions: { first: string | null; list: string | null } = { first: null, list: null }
  const request = async (path: string): Promise<{ data: unknown; version: string | null }> => {
    const { status, body, headers } = await api.get(path)
    const version = headers[imagesHeader] ?? null
    versions.first ??= version
    if (status === 200) responses[path] = { status, body }
    return { data: dataOf(body), version }
  }
  const tryRequest = async (path: string) => {
    try {
      return await request(path)
    } catch (problem) {
      log.warn({ err: problem }, 'a call for the page of a code failed')
      return { data: undefined, version: null }
    }
  }
  const collect = async (path: string): Promise<unknown> => (await tryRequest(path)).data
  const collectImages = async (path: string): Promise<unknown> => {
    const { data, version } = await tryRequest(path)
    versions.list = version
    return data
  }
  const collected = (): Collected => ({
    imagesVersion: versions.list ?? versions.first,
    responses: { ...responses },
  })
  return { collect, collectImages, collected }
}

/** Collects the responses for the first screen of what the code opened, until the deadline. */
const collectData = async (
  { api, log, deadline }: CollectInput,
  address: CodeAddress,
  redeemed: RedeemedCode,
): Promise<Collected & { image: Image | null }> => {
  const { collect, collectImages, collected } = createCollector(api, log)
  const paths = firstPaths(address, redeemed)
  let image: Image | null = null
  const collectImage = async (path: string): Promise<void> => {
    image = firstImage(await collectImages(path))
  }
  const collectByMethod = async (): Promise<void> => {
    const [availability, job] = await Promise.all([collect(paths.availability), collect(paths.job)])
    await Promise.all(methodPaths(redeemed, availability, job).map(collect))
  }
  const all = [collectByMethod(), ...(paths.images ? [collectImage(paths.images)] : []), ...paths.others.map(collect)]
  await Promise.race([Promise.all(all), deadline])
  return { ...collected(), image }
}

type CollectInput = {
  readonly api: OwnApi
  readonly log: Log
  /** Resolves when the page must be sent. */
  readonly deadline: Promise<undefined>
}

/**
 * Redeems a code and collects the responses for its first screen. A wrong code counts as a guess; its response is
 * returned too, so that the client does not guess again. Once the code is redeemed, the result contains its response and
 * the data that arrived before the deadline, so that the client does not redeem it again. Undefined if the API refused to
 * answer, for example to slow down guesses, or took too long; the client then sends its own request.
 */
export const collectResponses = async (
  input: CollectInput,
  address: CodeAddress,
): Promise<CodeResponses | undefined> => {
  const { studioSlug, code } = address
  const codePath = pathOf(redeemCode, { slug: studioSlug }, { code })
  const redemption = await Promise.race([input.api.get(codePath), input.deadline])
  if (!redemption) return undefined
  const { status, body, setCookie } = redemption
  if (status !== 200 && status !== 404) return undefined
  const data = dataOf(body)
  const redeemed = status === 200 && is(data, RedeemedCode) ? data : null
  const { image, imagesVersion, responses } = redeemed
    ? await collectData(input, address, redeemed)
    : { image: null, imagesVersion: null, responses: {} }
  const page = { studioSlug, code, imagesVersion, responses: { [codePath]: { status, body }, ...responses } }
  return { page, setCookie, redeemed, image }
}
