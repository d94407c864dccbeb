import { array, is, size, type } from 'superstruct'
import { listCarts } from '#contract/customer/cart-calls.ts'
import type { CodePage, PackageOffer } from '#contract/customer/code-page.ts'
import {
  CustomerJob,
  CustomerStudio,
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
import { Package } from '#contract/shapes/catalogue-structs.ts'
import { Image } from '#contract/shapes/image-structs.ts'
import { JobPreferences } from '#contract/shapes/job-structs.ts'
import { imagesHeader } from '#contract/shapes/responses.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
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
  /** The packages that the first screen shows; null if it shows none, or if their data did not arrive in time. */
  readonly offer: PackageOffer | null
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
  studio: pathOf(getStudio, { slug: studioSlug }, {}),
  preferences: pathOf(getJobPreferences, { studioId, jobId }, {}),
  carts: pathOf(listCarts, { jobId }, {}),
  subject: subject && pathOf(getSubject, { jobId, subjectId: subject.id }, {}),
})

type FirstPaths = ReturnType<typeof firstPaths>

/** The order method that the first screen shows; null if none is open, or if it is unknown. */
const firstOrderMethod = (availability: unknown, job: unknown): OrderMethod | null => {
  if (!is(availability, JobAvailability) || !is(job, CustomerJob)) return null
  const { method } = chooseOrderMethod({ preferredMethod: null, availability, ...job })
  return method === 'unknown' ? null : method
}

/** The calls that depend on the order method. */
const methodPaths = ({ jobId, subject }: RedeemedCode, method: OrderMethod | null) => ({
  packages: subject && method && pathOf(listPackages, { jobId }, { orderMethod: method }),
  fields: method === 'prepay' ? pathOf(listJobFields, { jobId }, {}) : null,
})

const OfferData = type({
  studio: CustomerStudio,
  job: CustomerJob,
  availability: JobAvailability,
  preferences: JobPreferences,
  images: array(Image),
  packages: array(Package),
})

/** The packages of the first screen. Before a prepay order the app may ask for the job's fields instead. */
const readOffer = (
  redeemed: RedeemedCode,
  { paths, dataOfPath }: { paths: FirstPaths; dataOfPath: (path: string | null) => unknown },
): PackageOffer | null => {
  const { subject } = redeemed
  const [availability, job] = [dataOfPath(paths.availability), dataOfPath(paths.job)]
  const orderMethod = firstOrderMethod(availability, job)
  const { packages, fields } = methodPaths(redeemed, orderMethod)
  if (!subject || !orderMethod || (fields !== null && !is(dataOfPath(fields), size(array(), 0)))) return null
  const data = {
    ...{ availability, job, studio: dataOfPath(paths.studio), preferences: dataOfPath(paths.preferences) },
    ...{ images: dataOfPath(paths.images), packages: dataOfPath(packages) },
  }
  return is(data, OfferData) ? { ...data, subject, orderMethod } : null
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
  const dataOfPath = (path: string | null): unknown => (path === null ? undefined : dataOf(responses[path]?.body))
  return { collect, collectImages, collected, dataOfPath }
}

/** Collects the responses for the first screen of what the code opened, until the deadline. */
const collectData = async (
  { api, log, deadline }: CollectInput,
  address: CodeAddress,
  redeemed: RedeemedCode,
): Promise<Collected & Pick<CodeResponses, 'image' | 'offer'>> => {
  const { collect, collectImages, collected, dataOfPath } = createCollector(api, log)
  const paths = firstPaths(address, redeemed)
  const collectByMethod = async (): Promise<void> => {
    const [availability, job] = await Promise.all([collect(paths.availability), collect(paths.job)])
    const { packages, fields } = methodPaths(redeemed, firstOrderMethod(availability, job))
    await Promise.all([packages, fields].filter((path) => path !== null).map(collect))
  }
  const { studio, preferences, carts, subject, images } = paths
  const others = [studio, preferences, carts, subject].filter((path) => path !== null)
  const all = [collectByMethod(), ...(images ? [collectImages(images)] : []), ...others.map(collect)]
  await Promise.race([Promise.all(all), deadline])
  return { ...collected(), image: firstImage(dataOfPath(images)), offer: readOffer(redeemed, { paths, dataOfPath }) }
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
  const { image, offer, imagesVersion, responses } = redeemed
    ? await collectData(input, address, redeemed)
    : { image: null, offer: null, imagesVersion: null, responses: {} }
  const page = { studioSlug, code, imagesVersion, responses: { [codePath]: { status, body }, ...responses } }
  return { page, setCookie, redeemed, image, offer }
}
