import fc from 'fast-check'
import type { JsonSchema } from '#server/api-reference/json-schema.ts'
import { resolved } from './conforms.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Lists are short, so that a request with every list is not too large. */
const maxItemsOf = ({ minItems = 0, maxItems = 3 }: JsonSchema): number => Math.max(minItems, Math.min(maxItems, 3))

const textArbitrary = ({ pattern, minLength = 0, maxLength = 20 }: JsonSchema): fc.Arbitrary<unknown> =>
  pattern === undefined
    ? fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)), unit: 'grapheme' })
    : fc.stringMatching(new RegExp(pattern))

const numberArbitrary = ({ type, minimum, maximum }: JsonSchema): fc.Arbitrary<unknown> => {
  const range = { min: minimum ?? -1000, max: Math.min(maximum ?? 1000, Number.MAX_SAFE_INTEGER) }
  if (type === 'number') return fc.double({ ...range, noNaN: true })
  // Mostly ids and counts that exist.
  const small = fc.integer({ min: Math.max(range.min, 0), max: Math.max(range.min, Math.min(range.max, 5)) })
  return fc.oneof(
    { arbitrary: small, weight: 5 },
    fc.maxSafeInteger().map((value) => clamp(value, range)),
  )
}

const clamp = (value: number, { min, max }: { min: number; max: number }): number => Math.min(Math.max(value, min), max)

const objectArbitrary = (schema: JsonSchema, schemas: Schemas, faultRate: number): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, schemaArbitrary(field, schemas, faultRate)]),
  )
  if (typeof additionalProperties === 'object')
    return fc.dictionary(fc.string(), schemaArbitrary(additionalProperties, schemas, faultRate), { maxKeys: 3 })
  return fc.record(fields, { requiredKeys: [...required] })
}

const plainArbitrary = (schema: JsonSchema, schemas: Schemas, faultRate: number): fc.Arbitrary<unknown> => {
  const { anyOf, items = {} } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (anyOf) return fc.oneof(...anyOf.map((option) => schemaArbitrary(option, schemas, faultRate)))
  const [type = 'any', otherType] = [schema.type ?? []].flat()
  if (otherType !== undefined) return fc.option(plainArbitrary({ ...schema, type }, schemas, faultRate))
  if (type === 'string') return textArbitrary(schema)
  if (type === 'integer' || type === 'number') return numberArbitrary(schema)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'object') return objectArbitrary(schema, schemas, faultRate)
  if (type !== 'array') return fc.jsonValue({ maxDepth: 1 })
  const sizes = { minLength: schema.minItems ?? 0, maxLength: maxItemsOf(schema) }
  return fc.array(schemaArbitrary(items, schemas, faultRate), sizes)
}

/** Values of a schema; of `faultRate` percent of all parts any other JSON instead. */
export const schemaArbitrary = (schema: JsonSchema, schemas: Schemas, faultRate: number): fc.Arbitrary<unknown> => {
  const valid = plainArbitrary(resolved(schema, schemas), schemas, faultRate)
  if (faultRate === 0) return valid
  const fault = fc.jsonValue({ maxDepth: 1 })
  return fc.oneof({ arbitrary: valid, weight: 100 - faultRate }, { arbitrary: fault, weight: faultRate })
}
