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
import { listGreenScreens, listJobFields } from '../../contract/job-offers.ts'
import { orderMethods } from '../../domain/catalogue.ts'
import printFont from '../../domain/print-text-font.json?url'
import type { ToWorker } from '../../local/messages.ts'

export type WarmEvent = { studioSlug: string; studioId: number | undefined; jobId: number }
export type WarmPerson = WarmEvent & { subjectId: number }

const addressesOfEvent = ({ studioSlug, studioId, jobId }: WarmEvent): string[] => [
  pathOf(getAvailability, { jobId }, {}),
  pathOf(getStudio, { slug: studioSlug }, {}),
  pathOf(lookUpJob, { jobId }, {}),
  ...(studioId === undefined ? [] : [pathOf(getJobPreferences, { studioId, jobId }, {})]),
  ...orderMethods.map((orderMethod) => pathOf(listPackages, { jobId }, { orderMethod })),
  pathOf(listJobFields, { jobId }, {}),
  printFont,
]

/** Everything a parent needs to go on without a network for one person, up to paying. Who was typed in here has nothing to fetch. */
export const addressesFor = ({ subjectId, ...event }: WarmPerson): string[] => {
  const ofPerson = { jobId: event.jobId, subjectId }
  if (subjectId < 0) return addressesOfEvent(event)
  return [
    ...addressesOfEvent(event),
    pathOf(getSubject, ofPerson, {}),
    pathOf(listImages, ofPerson, {}),
    pathOf(listGreenScreens, { jobId: event.jobId }, {}),
  ]
}

const warm = (urls: string[]): void => {
  const message: ToWorker = { type: 'warm', urls }
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(message)).catch(() => undefined)
}

/** An event was opened where people are typed in: nobody else's data is waited for. */
export const warmEvent = (event: WarmEvent): void => warm(addressesOfEvent(event))

/**
 * A person was opened: asks the worker to fetch and keep their packages, pictures and the event, once there is a worker. On a first
 * visit it comes a moment later than the person.
 */
export const warmPerson = (person: WarmPerson): void => warm(addressesFor(person))
