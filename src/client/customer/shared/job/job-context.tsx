import { createContext, use } from 'react'
import type { JobAvailability, JobFacts, JobPreferences, StudioFacts } from '#contract/customer/discovery-calls.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'

/** What every customer screen under a job knows of its studio and event. */
export type CustomerEvent = {
  studioSlug: string
  jobId: number
  studio: StudioFacts
  job: JobFacts
  availability: JobAvailability
  preferences: JobPreferences
  /** The method of the cart in front of the customer. */
  orderMethod: OrderMethod
  /** For jobs where both methods are open. */
  chooseOrderMethod: (method: OrderMethod) => void
  /** The reason, where the method of this cart has closed: it stays readable (shown in place by cart and checkout). */
  closed: string | null
}

export const EventContext = createContext<CustomerEvent | null>(null)

/** The event of the screen; only under the customer layout of a guarded route. */
export const useEvent = (): CustomerEvent => {
  const event = use(EventContext)
  if (!event) throw new Error('No event here')
  return event
}

/** The event where it is known: the screens the entry guard lets pass may be shown before it is, or without it. */
export const useEventIfKnown = (): CustomerEvent | null => use(EventContext)
