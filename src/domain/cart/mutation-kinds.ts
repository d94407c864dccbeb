import type { Change, Mutation } from './mutation.ts'

export type MutationKind = Change['do']

/** One entry for each kind of mutation: with a new kind no table compiles before it has an entry for it. */
export type MutationTable<Of extends Change, Args extends unknown[], Value> = {
  readonly [Kind in MutationKind]: (change: Extract<Of, { do: Kind }>, ...args: Args) => Value
}

/** What the table has for a mutation's own kind. */
export const dispatchByKind = <Of extends Change, Args extends unknown[], Value>(
  table: MutationTable<Of, Args, Value>,
  change: Of,
  ...args: Args
): Value => (table[change.do] as (change: Of, ...args: Args) => Value)(change, ...args) // the entry of its own kind

/** Whether each kind ends with the cart. Who was typed in stays known, and a pose stays chosen, whatever is ordered. */
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

/** Whether this build knows what to do with such a mutation; a newer build may have written another. */
export const isKnownKind = (kind: unknown): kind is Mutation['do'] =>
  typeof kind === 'string' && Object.hasOwn(endings, kind)
