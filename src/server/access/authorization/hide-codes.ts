import type { AnyCall } from '#contract/shapes/call.ts'
import { hiddenCode } from '#contract/shapes/staff-call.ts'
import { supportMessages } from '#domain/studio/support-access.ts'
import { JsonText, Problem, problem } from '#server/http/problem.ts'
import type { OpenAccess } from './open-access.ts'

type Codes = NonNullable<AnyCall['codes']>

/** The replacements of what a call says of access codes; undefined if the caller may see them: everyone but administrators without consent to photos. */
export const hiddenCodesFor = (call: Pick<AnyCall, 'codes'>, support: OpenAccess | undefined): Codes | undefined =>
  support && !support.hasSharpPhotos ? call.codes : undefined

/** Maps the values of some keys of JSON data, at any depth. */
const mapKeys = (value: unknown, keys: Codes, map: (key: string, value: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, keys, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      Object.hasOwn(keys, key) ? map(key, inner) : mapKeys(inner, keys, map),
    ]),
  )
}

/** A handler's result without access codes. A problem has none, and calls that answer with files of codes are refused before. */
export const withoutCodes = (result: unknown, codes: Codes): unknown => {
  const hide = (data: unknown) => mapKeys(data, codes, (key, value) => (value === null ? null : codes[key]))
  if (result instanceof Problem) return result
  // The text has another version than for those who see the codes.
  return result instanceof JsonText ? new JsonText(JSON.stringify(hide(JSON.parse(result.text)))) : hide(result)
}

/**
 * The body of a request by a caller who does not see access codes: a code that is still hidden stays as it is, and any other is refused, because a
 * code that the caller sets opens the photos like one that they see.
 */
export const withoutSetCodes = (body: unknown, codes: Codes): unknown => {
  let setsCode = false
  const unchanged = mapKeys(body, codes, (_, value) => {
    const isKept = value === hiddenCode || value === undefined
    setsCode ||= !isKept && value !== '' && value !== null
    return isKept ? undefined : value
  })
  return setsCode ? problem('not-allowed', supportMessages.codesHidden) : unchanged
}
