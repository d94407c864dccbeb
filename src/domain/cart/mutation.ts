import type { DataField, ImageChoice, LineSnapshot, TextChoice } from './cart.ts'
import type { PersonalizationChoice, ServiceSnapshot } from './order-service-types.ts'

/**
 * The current version of mutations. Older versions are up-cast where they are read, on the device and on the server.
 */
export const mutationVersion = 1 as const

/** What a mutation changes. Every value is absolute, so that applying it twice has the effect of applying it once. */
export type Change =
  | ({ do: 'line.add'; packageId: number; packageVersion: number; quantity: number } & LineSubjectKey & LineContent)
  | ({ do: 'line.customise'; lineId: string } & LineContent)
  | { do: 'line.quantity'; lineId: string; quantity: number }
  | { do: 'line.remove'; lineId: string }
  | { do: 'line.accept'; lineId: string; packageVersion: number }
  | { do: 'cart.clear' }
  | ({ do: 'service.set'; personalization: PersonalizationChoice | null; price: ShownPrice } & ServiceKey)
  | ({ do: 'service.remove' } & ServiceKey)
  | ({ do: 'person.set' } & TypedSubject)
  | { do: 'pose.set'; subjectId: number; imageId: number }

export type MutationKind = Change['do']

/**
 * The price of a service that the customer saw, in decimal dollars; null means today's price. The cart stores it for
 * comparison and never charges it: checkout compares it with the job's price, and the customer accepts a difference.
 */
export type ShownPrice = number | null

/**
 * The subject of a line: a subject of the studio, or one typed in on this device. Exactly one of the two ids is set.
 */
export type LineSubjectKey = { lineId: string } & SubjectKey

/** A subject of the studio, or one typed in on this device. The server gives the latter a `subjectId` too. */
export type SubjectKey = { subjectId: number | null; personId: string | null }

/** A service, its subject and (for retouching per image) its image. */
export type ServiceKey = SubjectKey & { orderServiceId: number; imageLookupId: number | null }

/** A subject that a customer typed in before the picture day, with all custom fields of the job. */
export type TypedSubject = { personId: string; firstName: string; lastName: string; dataFields: DataField[] }

/** Everything a customer fills in on a line, complete. */
export type LineContent = {
  greenScreenBackgroundId: number | null
  dataFields: DataField[]
  textNodes: TextChoice[]
  imageNodes: ImageChoice[]
}

/** One intent of the customer, stamped once and sent verbatim until the server responds. */
export type Mutation = { id: string; v: typeof mutationVersion; at: string } & Change

export type MutationOf<Kind extends MutationKind> = Extract<Mutation, { do: Kind }>

/** Injected clock and randomness. `now` returns ISO 8601 UTC, `newId` a random UUID. */
export type Stamp = { now: () => string; newId: () => string }

export const stampChange = (change: Change, stamp: Stamp): Mutation => ({
  id: stamp.newId(),
  v: mutationVersion,
  at: stamp.now(),
  ...change,
})

/**
 * A mutation with the snapshot it was made from. The snapshot is never sent: the server reads the same data from its
 * own catalogue.
 */
export type RecordedMutation = { mutation: Mutation; snapshot: MutationSnapshot | null }

/** What a line or a service is built from. */
export type MutationSnapshot = LineSnapshot | ServiceSnapshot

export const lineSnapshot = (snapshot: MutationSnapshot | null): LineSnapshot | null =>
  snapshot && 'package' in snapshot ? snapshot : null
export const serviceSnapshot = (snapshot: MutationSnapshot | null): ServiceSnapshot | null =>
  snapshot && 'service' in snapshot ? snapshot : null
