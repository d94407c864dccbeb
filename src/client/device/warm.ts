import { pathOf } from '../../contract/call.ts'
import {
  getAvailability,
  getJobPreferences,
  getStudio,
  getSubject,
  listImages,
  listPackages,
  lookUpJob,
} from '../../contract/customer-find.ts'
import { listGreenScreens } from '../../contract/job-offers.ts'
import { orderMethods } from '../../domain/catalogue.ts'
import printFont from '../../domain/print-text-font.json?url'
import type { ToWorker } from '../../local/messages.ts'

export type WarmPerson = { studioSlug: string; studioId: number | undefined; jobId: number; subjectId: number }

/** Everything a parent needs to go on without a network for one person, up to paying. */
export const addressesFor = ({ studioSlug, studioId, jobId, subjectId }: WarmPerson): string[] => [
  pathOf(getAvailability, { jobId }, {}),
  pathOf(getStudio, { slug: studioSlug }, {}),
  pathOf(lookUpJob, { jobId }, {}),
  ...(studioId === undefined ? [] : [pathOf(getJobPreferences, { studioId, jobId }, {})]),
  ...orderMethods.map((orderMethod) => pathOf(listPackages, { jobId }, { orderMethod })),
  pathOf(getSubject, { jobId, subjectId }, {}),
  pathOf(listImages, { jobId, subjectId }, {}),
  pathOf(listGreenScreens, { jobId }, {}),
  printFont,
]

/**
 * A person was opened: asks the worker to fetch and keep their packages, pictures and the event, once there is a worker. On a first
 * visit it comes a moment later than the person.
 */
export const warmPerson = (person: WarmPerson): void => {
  const message: ToWorker = { type: 'warm', urls: addressesFor(person) }
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)).catch(() => undefined)
}
