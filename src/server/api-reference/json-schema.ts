/** A JSON Schema (draft 2020-12), as far as the contract needs it. */
export type JsonSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** The schema of a value that may also be null. */
export const orNull = (schema: JsonSchema): JsonSchema => {
  const { type } = schema
  if (typeof type !== 'string' || schema.const !== undefined) return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) }
}

/** Adds the limits of a size, which has its own keywords for each type. */
export const withSize = (schema: JsonSchema, minimum: number, maximum: number): JsonSchema => {
  if (schema.type === 'array') return { ...schema, minItems: minimum, maxItems: maximum }
  if (schema.type === 'string') return { ...schema, minLength: minimum, maxLength: maximum }
  return { ...schema, minimum, maximum }
}
