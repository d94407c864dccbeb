import type { Change, Mutation } from './mutation.ts'

export type MutationKind = Change['do']

/** One entry for each mutation kind: a new kind does not compile until every table has an entry for it. */
export type MutationTable<Of extends Change, Args extends unknown[], Value> = {
  readonly [Kind in MutationKind]: (change: Extract<Of, { do: Kind }>, ...args: Args) => Value
}

/** Calls the table's entry for the mutation's kind. */
export const dispatchByKind = <Of extends Change, Args extends unknown[], Value>(
  table: MutationTable<Of, Args, Value>,
  change: Of,
  ...args: Args
): Value => (table[change.do] as (change: Of, ...args: Args) => Value)(change, ...args) // the entry of its own kind

/**
 * Whether a mutation of each kind is obsolete once the cart is ordered. Typed-in subjects and year-book poses outlive
 * the cart.
 */
const endings = {
  'line.add': true,
  'line.customise': true,
  'line.quantity': true,
  'line.remove': true,
  'line.accept': true,
  'cart.clear': true,
  'service.set': true,
  'service.remove': true,
  'person.set': false,
  'pose.set': false,
} as const satisfies Record<MutationKind, boolean>

export const belongsToCart = (kind: MutationKind): boolean => endings[kind]

/** Whether this build knows the kind; a newer build may have written another. */
export const isKnownKind = (kind: unknown): kind is Mutation['do'] =>
  typeof kind === 'string' && Object.hasOwn(endings, kind)
