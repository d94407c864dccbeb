import { ownPath, urls } from '../../shell/urls.ts'

/** A code as it is sent: letters and digits alone, upper case. */
export const cleanCode = (typed: string): string => typed.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

type Failure = { status: number | 'unreachable'; problem?: string; errors: string[]; retryAfterSeconds?: number }

/** What a code that did not open anything means, in a sentence a parent can act on. */
export const codeTrouble = ({ status, errors, retryAfterSeconds }: Failure): string => {
  if (status === 'unreachable') return 'There is no connection right now. Your code is kept here; try again in a moment'
  if (status === 429) return `Too many tries. Please wait ${retryAfterSeconds ?? 'a few'} seconds and try again`
  if (status === 404 || status === 400) {
    return 'This code does not open anything here. Compare it with the card, letter by letter, and try again'
  }
  return errors[0] ?? 'An error occurred'
}

type Opened = { studioSlug: string; jobId: number; subjectId: number | null; ret: string | undefined }

/** Where a code leads: back to where the person wanted to go if that is in this event, else to their person, else to the search. */
export const afterCode = ({ studioSlug, jobId, subjectId, ret }: Opened): string => {
  const wanted = ownPath(ret)
  const inThisEvent = wanted?.split('?')[0]?.startsWith(`/${encodeURIComponent(studioSlug)}/${jobId}/`)
  if (wanted && inThisEvent && !wanted.includes('/unavailable')) return wanted
  if (subjectId !== null) return urls.selectPackage({ studioSlug, jobId, subjectId })
  return urls.subjectSearch({ studioSlug, jobId })
}
