import * as superstruct from 'superstruct'
import type { AnyCall } from '#contract/shapes/call.ts'
import { type JsonSchema, orNull, withSize } from './json-schema.ts'

/**
 * Stands in for superstruct while the contract is described (`describe-contract-thread.ts`): the same functions, which also record how each
 * struct was made. A struct itself only has closures, so that its sizes, patterns and alternatives cannot be read from it.
 */

type AnyStruct = AnyCall['params']
type Fields = Record<string, AnyStruct>
type Describe = () => JsonSchema

const descriptions = new WeakMap<object, Describe>()
/** By the object of fields that a struct of an object has, which copies of the struct share. */
const descriptionsOfFields = new WeakMap<object, Describe>()

type ComponentNames = ReadonlyMap<object, string>
let componentNames: ComponentNames = new Map()
let used = new Set<AnyStruct>()

/** Sets the structs that are described once, by name, and referred to elsewhere. */
export const nameComponents = (names: ComponentNames): void => {
  componentNames = names
  used = new Set()
}

/** The named structs that were referred to since they were named. */
export const usedComponents = (): ReadonlySet<AnyStruct> => used

/** Adds a keyword to the schema of a struct, and to those that are made from it. */
export const annotate = (struct: AnyStruct, keywords: JsonSchema): void => {
  const describe = descriptions.get(struct)
  if (describe) descriptions.set(struct, () => ({ ...describe(), ...keywords }))
}

/** The schema of a struct itself. Throws for a struct that nothing is known of. */
export const inlineSchemaOf = (struct: AnyStruct): JsonSchema => {
  const describe = descriptions.get(struct) ?? descriptionsOfFields.get(Object(struct.schema))
  if (!describe) throw new Error(`the struct “${struct.type}” has no description`)
  return describe()
}

/** The schema of a struct, or a reference to it if it is named. */
export const jsonSchemaOf = (struct: AnyStruct): JsonSchema => {
  const name = componentNames.get(struct)
  if (name === undefined) return inlineSchemaOf(struct)
  used.add(struct)
  return { $ref: `#/components/schemas/${name}` }
}

/** Wraps a function that makes a struct. `describe` gets its arguments, when the schema is needed. */
const recorded = <Make extends (...parts: never[]) => AnyStruct>(
  make: Make,
  describe: (...parts: Parameters<Make>) => JsonSchema,
): Make => {
  const makeRecorded = (...parts: Parameters<Make>): AnyStruct => {
    const struct = make(...parts)
    descriptions.set(struct, () => describe(...parts))
    return struct
  }
  return makeRecorded as Make // same parameters; the struct is that of `make`
}

const isOptional = (field: AnyStruct): boolean => superstruct.is(undefined, field)

const objectSchema = (fields: Readonly<Record<string, AnyStruct>>, isStrict: boolean): JsonSchema => {
  const known = Object.entries(fields).filter(([, field]) => field.type !== 'never')
  const required = known.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(known.map(([name, field]) => [name, jsonSchemaOf(field)])),
    ...(required.length > 0 && { required }),
    ...(isStrict && { additionalProperties: false }),
  }
}

const recordedFields = (struct: AnyStruct, isStrict: boolean): AnyStruct => {
  const fields = struct.schema as Fields // the struct of an object has its fields as its schema
  const describe = () => objectSchema(fields, isStrict)
  descriptions.set(struct, describe)
  descriptionsOfFields.set(fields, describe)
  return struct
}

/** The schemas of the contract's own types, by their names. */
const definedSchemas: Readonly<Record<string, JsonSchema>> = {
  Whole: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  Count: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
  Dollars: { type: 'number', minimum: 0, description: 'Dollars, with at most two decimals' },
  FileContent: { description: 'A file' },
}

const definedSchema = (name: string): JsonSchema => {
  const schema = definedSchemas[name]
  if (!schema) throw new Error(`the type “${name}” has no schema`)
  return schema
}

const enumSchema = (values: readonly unknown[]): JsonSchema => {
  const [type = 'string', ...otherTypes] = new Set(values.map((value) => typeof value))
  return { ...(otherTypes.length === 0 && { type: type === 'number' ? 'integer' : type }), enum: values }
}

export const { is } = superstruct
/** Structs that are made by hand from another one share its fields, by which they are described. */
export const { Struct } = superstruct

export const string = recorded(superstruct.string, () => ({ type: 'string' }))
export const number = recorded(superstruct.number, () => ({ type: 'number' }))
export const integer = recorded(superstruct.integer, () => ({ type: 'integer' }))
export const boolean = recorded(superstruct.boolean, () => ({ type: 'boolean' }))
export const unknown = recorded(superstruct.unknown, () => ({}))
export const never = recorded(superstruct.never as unknown as () => AnyStruct, () => ({ not: {} }))
export const literal = recorded(superstruct.literal as (value: unknown) => AnyStruct, (value) => ({ const: value }))
export const enums = recorded(superstruct.enums as (values: readonly unknown[]) => AnyStruct, enumSchema)
export const array = recorded(superstruct.array as (item: AnyStruct) => AnyStruct, (item) => ({
  type: 'array',
  items: jsonSchemaOf(item),
}))
export const union = recorded(superstruct.union as (structs: AnyStruct[]) => AnyStruct, (structs) => ({
  anyOf: structs.map(jsonSchemaOf),
}))
export const record = recorded(
  superstruct.record as (key: AnyStruct, value: AnyStruct) => AnyStruct,
  (_key, value) => ({
    type: 'object',
    additionalProperties: jsonSchemaOf(value),
  }),
)
export const object = (fields: Fields): AnyStruct => recordedFields(superstruct.object(fields), true)
export const type = (fields: Fields): AnyStruct => recordedFields(superstruct.type(fields), false)
export const assign = (...structs: Parameters<typeof superstruct.assign>): AnyStruct =>
  recordedFields(superstruct.assign(...structs), structs[0].type === 'object')
export const optional = recorded(superstruct.optional as (struct: AnyStruct) => AnyStruct, jsonSchemaOf)
export const nullable = recorded(superstruct.nullable as (struct: AnyStruct) => AnyStruct, (struct) =>
  orNull(jsonSchemaOf(struct)),
)
export const coerce = recorded(
  superstruct.coerce as (struct: AnyStruct, from: AnyStruct, read: (value: unknown) => unknown) => AnyStruct,
  inlineSchemaOf,
)
export const trimmed = recorded(superstruct.trimmed as (struct: AnyStruct) => AnyStruct, inlineSchemaOf)
export const refine = recorded(
  superstruct.refine as (struct: AnyStruct, name: string, check: (value: unknown) => boolean) => AnyStruct,
  inlineSchemaOf,
)
export const define = recorded(superstruct.define, definedSchema)
/** Only the value tells which struct applies; no call of the contract refers to such a struct. */
export const dynamic = recorded(superstruct.dynamic, () => ({}))
export const size = recorded(
  superstruct.size as (struct: AnyStruct, minimum: number, maximum?: number) => AnyStruct,
  (struct, minimum, maximum = minimum) => withSize(inlineSchemaOf(struct), minimum, maximum),
)
export const min = recorded(
  superstruct.min as (struct: AnyStruct, minimum: number) => AnyStruct,
  (struct, minimum) => ({
    ...inlineSchemaOf(struct),
    minimum,
  }),
)
export const max = recorded(
  superstruct.max as (struct: AnyStruct, maximum: number) => AnyStruct,
  (struct, maximum) => ({
    ...inlineSchemaOf(struct),
    maximum,
  }),
)
export const pattern = recorded(
  superstruct.pattern as (struct: AnyStruct, regexp: RegExp) => AnyStruct,
  (struct, { source, flags }) => ({
    ...inlineSchemaOf(struct),
    // A pattern of JSON Schema has no flags; without `i` it would refuse what the call accepts.
    ...(!flags.includes('i') && { pattern: source }),
  }),
)
