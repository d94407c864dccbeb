import type { DataField, ImageChoice, LineSnapshot, TextChoice } from './cart.ts'
import type { PersonalizationChoice, ServiceSnapshot } from './order-services.ts'

/** The current version of mutations. Older versions are up-cast where they are read, on the device and on the server. */
export const mutationVersion = 1 as const

/** What changes. Every value is absolute, so that doing it twice is doing it once. */
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

/**
 * What a service was shown to cost, in decimal dollars; null where nobody says, who means today's price. It stands in the cart as what
 * was shown and is never charged: checkout holds it against the job's own, and the customer accepts what changed (section 5).
 */
export type ShownPrice = number | null

/** Whose line it is: a subject of the studio's, or a person this device typed in. Exactly one of the two is given. */
export type LineSubjectKey = { lineId: string } & SubjectKey

/** A subject of the studio's, or a person this device typed in; the server knows the latter by both. */
export type SubjectKey = { subjectId: number | null; personId: string | null }

/** Which service, for whom, and (for retouching per picture) of which picture. */
export type ServiceKey = SubjectKey & { orderServiceId: number; imageLookupId: number | null }

/** Somebody a customer typed in before the picture day: the name, and the job's custom fields, all of them. */
export type TypedSubject = { personId: string; firstName: string; lastName: string; dataFields: DataField[] }

/** Everything a customer fills in on a line, whole. */
export type LineContent = {
  greenScreenBackgroundId: number | null
  dataFields: DataField[]
  textNodes: TextChoice[]
  imageNodes: ImageChoice[]
}

/** One intent of the customer's, written down once and sent word for word until it is answered. */
export type Mutation = { id: string; v: typeof mutationVersion; at: string } & Change

/** Clock and chance, handed in by whoever has them. `now` is ISO 8601 UTC, `newId` a random UUID. */
export type Stamp = { now: () => string; newId: () => string }

export const stampChange = (change: Change, stamp: Stamp): Mutation => ({
  id: stamp.newId(),
  v: mutationVersion,
  at: stamp.now(),
  ...change,
})

/** A mutation with what it was made from. The snapshot never travels: the server looks the same facts up in its own catalogue. */
export type RecordedMutation = { mutation: Mutation; snapshot: MutationSnapshot | null }

/** What a line, or a service, is made from. */
export type MutationSnapshot = LineSnapshot | ServiceSnapshot

export const lineSnapshot = (made: MutationSnapshot | null): LineSnapshot | null =>
  made && 'package' in made ? made : null
export const serviceSnapshot = (made: MutationSnapshot | null): ServiceSnapshot | null =>
  made && 'service' in made ? made : null
