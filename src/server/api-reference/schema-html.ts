import { escapeHtml } from '../http/markup.ts'
import type { JsonSchema } from './json-schema.ts'

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** The name of a component that a schema refers to. */
const referredName = ({ $ref = '' }: JsonSchema): string => $ref.split('/').at(-1) ?? ''

const limitsOf = ({
  minLength,
  maxLength,
  minItems,
  maxItems,
  minimum,
  maximum,
  pattern,
  format,
}: JsonSchema): string[] => [
  ...(format ? [format] : []),
  ...(minLength || maxLength !== undefined ? [`${minLength ?? 0} to ${maxLength} characters`] : []),
  ...(minItems || maxItems !== undefined ? [`${minItems ?? 0} to ${maxItems} entries`] : []),
  ...(minimum !== undefined && Math.abs(minimum) !== Number.MAX_SAFE_INTEGER ? [`from ${minimum}`] : []),
  ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER ? [`up to ${maximum}`] : []),
  ...(pattern === undefined || format ? [] : [`matches ${pattern}`]),
]

/** A schema in one line: its type, and its limits. Fields of objects follow in a list. */
const lineOf = (schema: JsonSchema): string => {
  if (schema.$ref) return `<a href="#type-${referredName(schema)}">${referredName(schema)}</a>`
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ')
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.anyOf) return schema.anyOf.map(lineOf).join(' or ')
  if (schema.type === 'array') return [`list of ${lineOf(schema.items ?? {})}`, ...limitsOf(schema)].join(', ')
  const types = [schema.type ?? 'anything'].flat().join(' or ')
  const { description } = schema
  return [types, ...limitsOf(schema).map(escapeHtml), ...(description ? [escapeHtml(description)] : [])].join(', ')
}

const valuesLine = ({ additionalProperties }: JsonSchema): string =>
  typeof additionalProperties === 'object' ? `<ul><li>each value: ${schemaHtml(additionalProperties)}</li></ul>` : ''

const fieldsOf = (schema: JsonSchema): string => {
  const { properties = {}, required = [], items, anyOf } = schema
  if (items) return fieldsOf(items)
  if (anyOf) return anyOf.map(fieldsOf).join('')
  const fields = Object.entries(properties).map(
    ([name, field]) => `<li>${code(name)}${required.includes(name) ? '' : ' (optional)'}: ${schemaHtml(field)}</li>`,
  )
  return fields.length > 0 ? `<ul>${fields.join('')}</ul>` : valuesLine(schema)
}

/** A schema as HTML: a line, and the fields of objects as nested lists. References are links to `#type-Name`. */
export const schemaHtml = (schema: JsonSchema): string => lineOf(schema) + fieldsOf(schema)

/** The names that a schema refers to, directly or through others of `schemas`, in the order in which they appear. */
export const referencesOf = (
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  found: Set<string> = new Set(),
): Set<string> => {
  const name = referredName(schema)
  if (schema.$ref && !found.has(name)) {
    found.add(name)
    referencesOf(schemas[name] ?? {}, schemas, found)
  }
  const { properties = {}, items, anyOf = [], additionalProperties } = schema
  const nested = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  if (typeof additionalProperties === 'object') nested.push(additionalProperties)
  for (const part of nested) referencesOf(part, schemas, found)
  return found
}
