import type { Readable } from 'node:stream'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import type { Failure } from '#contract/shapes/responses.ts'

/**
 * Data that is already JSON and is sent unchanged. `etag`: the value of the `ETag` header, with quotes; a request with it
 * (`If-None-Match`) is answered with 304 and no data.
 */
export class JsonText {
  readonly text: string
  readonly etag: string | undefined

  constructor(text: string, etag?: string) {
    this.text = text
    this.etag = etag
  }
}

/** A file that is sent while it is created, instead of data. */
export class CreatedFile {
  readonly name: string
  readonly contentType: string
  readonly body: Readable

  constructor({ name, contentType, body }: { name: string; contentType: string; body: Readable }) {
    this.name = name
    this.contentType = contentType
    this.body = body
  }
}

type Details = {
  /** One or more messages a user can act on; default: the problem's own. */
  readonly messages: readonly string[]
  readonly fields?: Record<string, string[]> | undefined
  readonly retryAfterSeconds?: number | undefined
}

/** The failure of a call. It is returned, never thrown. */
export class Problem<Name extends ProblemName = ProblemName> {
  readonly name: Name
  readonly details: Details

  constructor(name: Name, details: Details) {
    this.name = name
    this.details = details
  }
}

/** Creates a problem: `problem('not-found')`, `problem('refused', 'This package is no longer offered')`. */
export const problem = <Name extends ProblemName>(
  name: Name,
  message: string | readonly string[] = problems[name].message,
  details: Omit<Details, 'messages'> = {},
): Problem<Name> => new Problem(name, { ...details, messages: typeof message === 'string' ? [message] : message })

/** The answer for an order that does not exist or belongs to another customer (section 8). */
export const orderNotFound = (): Problem<'not-found'> => problem('not-found', 'Could not find this order')

/** The answer for a studio that cannot be shown, whatever the reason (sections 5 and 8). */
export const studioNotFound = (): Problem<'not-found'> => problem('not-found', 'There was an error loading the studio')

/** An answer as it is sent, and as it is recorded for a replay. */
export type Answer = {
  readonly status: number
  readonly body: { data: unknown } | (Failure & { data?: false }) | JsonText | CreatedFile
  readonly retryAfterSeconds?: number | undefined
}

/** Converts the result of a handler to an answer, and a problem to its status. */
export const answerOf = (result: unknown): Answer => {
  if (result instanceof JsonText) return { status: 200, body: new JsonText(`{"data":${result.text}}`, result.etag) }
  if (result instanceof CreatedFile) return { status: 200, body: result }
  if (!(result instanceof Problem)) return { status: 200, body: { data: result ?? {} } }
  const { name, details }: Problem = result
  const { messages, fields, retryAfterSeconds } = details
  return {
    status: problems[name].status,
    body: { errors: [...messages], ...(fields && { fields }), problem: name },
    retryAfterSeconds,
  }
}

/**
 * Whether the stored version differs from the one that the caller saw, because of another change in between. A caller
 * that sends no version overwrites any change.
 */
export const isStale = ({ version }: { readonly version: number }, seenVersion: number | undefined): boolean =>
  seenVersion !== undefined && version !== seenVersion
