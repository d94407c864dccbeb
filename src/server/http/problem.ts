import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import type { Failure } from '#contract/shapes/responses.ts'

type Details = {
  /** One or more messages a user can act on; default: the problem's own. */
  readonly sentences: readonly string[]
  readonly fields?: Record<string, string[]> | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** What a call answers when it cannot do what was asked. Returned, never thrown. */
export class Problem<Name extends ProblemName = ProblemName> {
  readonly name: Name
  readonly details: Details

  constructor(name: Name, details: Details) {
    this.name = name
    this.details = details
  }
}

/** `return problem('not-found')`, `return problem('refused', 'This package is no longer offered')`. */
export const problem = <Name extends ProblemName>(
  name: Name,
  sentence: string | readonly string[] = problems[name].sentence,
  more: Omit<Details, 'sentences'> = {},
): Problem<Name> => new Problem(name, { ...more, sentences: typeof sentence === 'string' ? [sentence] : sentence })

/** The answer for an order that does not exist or belongs to another customer (section 8). */
export const orderNotFound = (): Problem<'not-found'> => problem('not-found', 'Could not find this order')

/** The answer for a studio that cannot be shown, for whatever reason (sections 5 and 8). */
export const studioNotFound = (): Problem<'not-found'> => problem('not-found', 'There was an error loading the studio')

/** An answer as it is sent, and as it is recorded for a replay. */
export type Answer = {
  readonly status: number
  readonly body: { data: unknown } | (Failure & { data?: false })
  readonly retryAfterSeconds?: number | undefined
}

/** The only place where a problem becomes a status. */
export const answerOf = (result: unknown): Answer => {
  if (!(result instanceof Problem)) return { status: 200, body: { data: result ?? {} } }
  const { name, details }: Problem = result
  const { sentences, fields, retryAfterSeconds } = details
  return {
    status: problems[name].status,
    body: { errors: [...sentences], ...(fields && { fields }), problem: name },
    retryAfterSeconds,
  }
}
