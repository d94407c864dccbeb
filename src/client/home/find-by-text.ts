import {
  type EventOfCode,
  type FoundStudio,
  findEvent,
  maxFindTextLength,
  type OpenedEvent,
} from '#contract/customer/find-event.ts'
import { findOpenedCode } from '#local/session.ts'
import { failureCauseOf, isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { pathInText } from '#platform/path-in-text.ts'
import { storeRedeemedCode, urlOfCodeTarget } from '#platform/session/store-redeemed-code.ts'
import { urls } from '#platform/urls.ts'

/** A studio, or an event, among several that a text may mean. `detail` distinguishes equal titles. */
export type FoundChoice = { url: string; title: string; detail: string | null }

/** Where a text leads: to one screen, to a choice, or nowhere, with what to do instead. */
export type FindResult = { url?: string; choices?: FoundChoice[]; error?: string | undefined }

const notFoundMessage = 'We don’t recognize that. Check each letter on your photo card, or type your studio’s name'

const eventChoice = ({ jobName, studioName, ...event }: OpenedEvent): FoundChoice => ({
  url: urlOfCodeTarget({ ...event, subjectId: event.subject?.id }),
  title: jobName,
  detail: studioName,
})

const eventOfCodeChoice = ({ studioSlug, code, jobName, studioName }: EventOfCode): FoundChoice => ({
  url: urls.customerCode({ studioSlug, code }),
  title: jobName,
  detail: studioName,
})

const studioChoice = ({ slug, name, city }: FoundStudio): FoundChoice => ({
  url: urls.customerStudio({ studioSlug: slug }),
  title: name,
  detail: city,
})

/** Without an answer, a code that was redeemed on this device before opens the same screen. */
const resultOfFailure = async (failure: CallFailure, text: string): Promise<FindResult> => {
  if (failureCauseOf(failure) === 'not-found' || failure.status === 400) return { error: notFoundMessage }
  const message = failure.errors.join('. ')
  if (isFinalFailure(failure)) return { error: message }
  const code = text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  const opened = await findOpenedCode(database, { code }).catch(() => null)
  return opened ? { url: urlOfCodeTarget(opened) } : { error: `${message}. What you typed stays in the field` }
}

/** Whether a text contains a link, but none of this app. */
export const isForeignLink = (text: string): boolean => text.includes('/') && !pathInText(text)

/** Finds what was typed on the home page; a code is redeemed, and stored as on its studio's page. */
export const findByText = async (text: string): Promise<FindResult> => {
  const url = pathInText(text)
  if (url) return { url }
  const typed = text.trim().slice(0, maxFindTextLength)
  const response = await callApi(findEvent, { query: { text: typed } })
  if (!response.ok) return await resultOfFailure(response, typed)
  const { event, events, studios } = response.data
  if (event) await storeRedeemedCode(event)
  const choices = [
    ...(event ? [eventChoice(event)] : []),
    ...events.map(eventOfCodeChoice),
    ...studios.map(studioChoice),
  ]
  const [only, ...others] = choices
  if (!only) return { error: notFoundMessage }
  return others.length > 0 ? { choices } : { url: only.url }
}
