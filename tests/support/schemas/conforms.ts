import type { JsonSchema } from '#server/api-reference/json-schema.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const hasType = (value: unknown, types: readonly string[]): boolean =>
  types.includes(typeOf(value)) || (types.includes('number') && typeof value === 'number')

/** The schema that a reference names. Throws for an unknown one. */
export const resolved = (schema: JsonSchema, schemas: Schemas): JsonSchema => {
  if (!schema.$ref) return schema
  const target = schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (!target) throw new Error(`there is no ${schema.$ref}`)
  return target
}

const isWithin = (value: number, minimum = -Infinity, maximum = Infinity): boolean =>
  value >= minimum && value <= maximum

const objectFaults = (value: object, schema: JsonSchema, schemas: Schemas, path: string): string[] => {
  const { properties = {}, required = [], additionalProperties = true } = schema
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, content]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      if (field === false) return [`${path}.${name} is not known`]
      return field === true || field === undefined ? [] : faultsOf(content, field, schemas, `${path}.${name}`)
    }),
  ]
}

const valueFaults = (value: unknown, schema: JsonSchema, schemas: Schemas, path: string): string[] => {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, items } = schema
  if (typeof value === 'string') {
    const isAllowed = isWithin(value.length, minLength, maxLength) && (!pattern || new RegExp(pattern).test(value))
    return isAllowed ? [] : [`${path} is not an allowed text`]
  }
  if (typeof value === 'number') return isWithin(value, minimum, maximum) ? [] : [`${path} is not an allowed number`]
  if (Array.isArray(value)) {
    const size = isWithin(value.length, minItems, maxItems)
      ? []
      : [`${path} has a number of entries that is not allowed`]
    return [...size, ...value.flatMap((item, index) => faultsOf(item, items ?? {}, schemas, `${path}[${index}]`))]
  }
  return typeof value === 'object' && value !== null ? objectFaults(value, schema, schemas, path) : []
}

/** Why a value does not conform to a schema, as far as our document uses JSON Schema; empty if it does. */
export const faultsOf = (value: unknown, reference: JsonSchema, schemas: Schemas, path = '$'): string[] => {
  const schema = resolved(reference, schemas)
  const { type, anyOf, not } = schema
  if (not) return [`${path} is not allowed`]
  if (schema.const !== undefined) return value === schema.const ? [] : [`${path} is another value`]
  if (type && !hasType(value, [type].flat())) return [`${path} is ${typeOf(value)}, not ${type}`]
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is none of ${schema.enum.join(', ')}`]
  if (!anyOf) return valueFaults(value, schema, schemas, path)
  const faults = anyOf.map((option) => faultsOf(value, option, schemas, path))
  return faults.some((found) => found.length === 0) ? [] : faults.flat()
}
