import { type Problem, problem } from '../http/problem.ts'

export const downloadsPath = '/api/customer/downloads'

export const isLinkId = (text: string): boolean => /^[\w-]{22,64}$/.test(text)

/** The same answer for an unknown link and one that is no longer valid. */
export const downloadNotFound = (): Problem<'not-found'> =>
  problem('not-found', 'The link is incomplete or no longer works. Ask the studio for a new one')
